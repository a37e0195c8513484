// heddle replay, as users type it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/heddle_program.h"
#include "tests/cli/scratch_folder.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Replay : public ::testing::Test {
 protected:
  // Explores; the findings are in the folder `out`.
  SubprocessResult explore(const std::string& model, std::vector<std::string> more = {}) {
    std::vector<std::string> words = {"explore", model, "--out", out()};
    words.insert(words.end(), more.begin(), more.end());
    return run_heddle(words);
  }
  std::string out() const { return scratch_.file("out"); }
  std::string finding(int number) const { return fmt::format("{}/finding-{}.json", out(), number); }

  ScratchFolder scratch_;
};

std::size_t replay_all(const nlohmann::json& findings) {
  for (const auto& finding : findings) {
    EXPECT_EQ(finding["confirmed"], "replay") << finding["message"];
    const auto replayed = run_heddle({"replay", finding["file"], "--json"});
    EXPECT_EQ(replayed.exit_status, 0) << replayed.output << replayed.errors;
    const auto json = nlohmann::json::parse(replayed.output);
    EXPECT_EQ(json["same"], true);
    EXPECT_EQ(json["model_changed"], false);
    EXPECT_EQ(json["divergence"], nullptr);
    EXPECT_EQ(json["came"]["message"], finding["message"]);
  }
  return findings.size();
}

TEST_F(Replay, ShowsEveryFindingOfEveryExample) {
  std::size_t replayed = 0;
  for (const auto& entry : fs::directory_iterator(HEDDLE_MODELS)) {
    if (entry.path().extension() != ".hm") continue;
    for (const std::string granularity : {"statement", "access"}) {
      const auto result = explore(entry.path().string(), {"--granularity", granularity, "--json",
                                                          "--keep-going", "--time", "0.2"});
      const auto json = nlohmann::json::parse(result.output);
      EXPECT_EQ(result.exit_status, json["findings"].empty() ? 0 : 42) << entry.path();
      replayed += replay_all(json["findings"]);
    }
  }
  EXPECT_GE(replayed, 12u);
}

TEST_F(Replay, FindsTheRaceThatTheExampleHas) {
  const auto wrong = explore(std::string(HEDDLE_MODELS) + "/lost-update.hm",
                             {"--granularity", "access", "--keep-going"});
  EXPECT_EQ(wrong.exit_status, 42);
  EXPECT_THAT(wrong.output, HasSubstr("race: counter(1) "));
  EXPECT_THAT(wrong.output, HasSubstr("2 findings; the search was complete"));
  EXPECT_THAT(wrong.output, HasSubstr("heddle replay " + finding(1)));
  const auto right = explore(std::string(HEDDLE_MODELS) + "/double-checked-locking-right.hm",
                             {"--granularity", "access"});
  EXPECT_EQ(right.exit_status, 0) << right.output;
}

TEST_F(Replay, DoesNotLookForRacesIfToldSo) {
  const auto result = explore(std::string(HEDDLE_MODELS) + "/lost-update.hm",
                              {"--granularity", "access", "--keep-going", "--no-races", "--json"});
  const auto findings = nlohmann::json::parse(result.output)["findings"];
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0]["kind"], "assertion");
}

TEST_F(Replay, SaysWhereAChangedModelDiverges) {
  const std::string text = "int x; lock m;\nthread a { x = 1; }\nthread b { assert(x == 0); }\n";
  const std::string model = scratch_.write("m.hm", text);
  explore(model);
  scratch_.write("m.hm", "int x; lock m;\nthread a { x = 0; }\nthread b { assert(x == 0); }\n");
  const auto result = run_heddle({"replay", finding(1)});
  EXPECT_EQ(result.exit_status, 125);
  EXPECT_THAT(result.output, HasSubstr("m.hm has changed since this was found"));
  EXPECT_THAT(result.output, HasSubstr("diverged at step 1: expected `x = 1` of a; came: `x = 0`"));
  EXPECT_THAT(result.output, HasSubstr("not the same finding; came: nothing wrong"));
}

TEST_F(Replay, TakesAChangedModelThatStillShowsIt) {
  const std::string text = "int x;\nthread a { x = 1; }\nthread b { assert(x == 0); }\n";
  explore(scratch_.write("m.hm", text));
  scratch_.write("m.hm", "// Now with a comment.\n" + text);
  const auto result = run_heddle({"replay", finding(1)});
  EXPECT_EQ(result.exit_status, 0) << result.output;
  EXPECT_THAT(result.output, HasSubstr("has changed"));
  EXPECT_THAT(result.output, HasSubstr("replayed: the same finding"));
}

TEST_F(Replay, FindsTheModelWhereItIsTold) {
  const std::string text = "thread a { assert(false); }\n";
  explore(scratch_.write("m.hm", text));
  fs::rename(scratch_.file("m.hm"), scratch_.file("moved.hm"));
  EXPECT_EQ(run_heddle({"replay", finding(1)}).exit_status, 65);
  const auto moved = run_heddle({"replay", finding(1), "--model", scratch_.file("moved.hm")});
  EXPECT_EQ(moved.exit_status, 0) << moved.errors;
}

TEST_F(Replay, UsesTheParametersOfTheFinding) {
  const std::string model = scratch_.write("m.hm", "param N = 1; thread a { assert(N == 1); }\n");
  EXPECT_EQ(explore(model).exit_status, 0);
  EXPECT_FALSE(fs::exists(out())) << "there was nothing to write";
  EXPECT_EQ(explore(model, {"-D", "N=2"}).exit_status, 42);
  EXPECT_EQ(run_heddle({"replay", finding(1)}).exit_status, 0);
}

TEST_F(Replay, SaysWhatIsWrongWithAFile) {
  const std::string bad = scratch_.write("bad.json", "{\"heddle_finding\": 9}");
  const auto result = run_heddle({"replay", bad});
  EXPECT_EQ(result.exit_status, 65);
  EXPECT_EQ(result.errors, fmt::format("heddle: {}: a finding of version 9; this Heddle reads "
                                       "versions 1 to 3\n",
                                       bad));
  EXPECT_EQ(run_heddle({"replay", scratch_.file("none.json")}).exit_status, 65);
  EXPECT_EQ(run_heddle({"replay"}).exit_status, 64);
}

TEST_F(Replay, SaysWhyTheFolderCannotBeWritten) {
  const std::string model = scratch_.write("m.hm", "thread a { assert(false); }\n");
  scratch_.write("out", "a file");
  const auto result = explore(model);
  EXPECT_EQ(result.exit_status, 74);
  EXPECT_THAT(result.errors, HasSubstr("cannot make folder"));
}

TEST_F(Replay, LeavesProgressOutUnlessAsked) {
  const std::string model = std::string(HEDDLE_MODELS) + "/fork-join.hm";
  EXPECT_EQ(explore(model).errors, "");
  EXPECT_THAT(explore(model, {"--progress"}).errors, HasSubstr("1 traces, "));
  EXPECT_EQ(explore(model, {"--no-progress"}).errors, "");
}

}  // namespace
}  // namespace heddle
