// heddle hunt, as users type it, on models and on programs.
#include <nlohmann/json.hpp>

#include "tests/cli/heddle_program.h"
#include "tests/cli/scratch_folder.h"
#include "tests/hybrid/support.h"

namespace heddle::hybrid {
namespace {

using Json = nlohmann::json;
using testing::AnyOf;
using testing::HasSubstr;

std::string program(const std::string& name) {
  return std::string(HEDDLE_HUNTED_PROGRAMS) + "/" + name;
}
std::string model_file(const std::string& name) {
  return std::string(HEDDLE_MODELS) + "/hybrid/" + name;
}

// The report of a hunt with that exit status.
Json hunted(std::vector<std::string> words, int exit_status, const ScratchFolder& folder) {
  words.insert(words.begin(), {"hunt", "--json", "--out", folder.file("out")});
  const SubprocessResult result = run_heddle(words);
  EXPECT_EQ(result.exit_status, exit_status) << result.output << result.errors;
  return Json::parse(result.output, nullptr, false);
}

void expect_replay(const Json& report) {
  ASSERT_FALSE(report["findings"].empty());
  const std::string file = report["findings"][0]["file"];
  const SubprocessResult result = run_heddle({"replay", file});
  EXPECT_EQ(result.exit_status, 0) << result.errors;
  EXPECT_THAT(result.output,
              AnyOf(HasSubstr("replayed: the same finding"), HasSubstr("replayed: it happens")));
}

TEST(HuntCommand, FindsTheRaceOfAModel) {
  const ScratchFolder folder;
  const Json report = hunted({model_file("queries.hm"), "-D", "THREADS=3"}, 42, folder);
  EXPECT_EQ(report["warnings"], 1);
  EXPECT_EQ(report["partners"], 1);
  EXPECT_EQ(report["witnesses"], 1);
  EXPECT_EQ(report["per_warning"][0]["result"], "witness");
  EXPECT_EQ(report["per_warning"][0]["location"], "deletions");
  expect_replay(report);
}

TEST(HuntCommand, FindsNothingInFigure6) {
  const ScratchFolder folder;
  const Json report = hunted({model_file("figure6.hm")}, 0, folder);
  EXPECT_EQ(report["warnings"], 1);
  EXPECT_EQ(report["partners"], 0);
}

TEST(HuntCommand, FindsARaceOfAProgramThatItsRunsDidNotShow) {
  const ScratchFolder folder;
  const Json report = hunted({"--runs", "2", "--", program("tsp_locked"), "2"}, 42, folder);
  EXPECT_EQ(report["witnesses"], 1);
  const Json& warning = report["per_warning"][0];
  EXPECT_EQ(warning["sites"], Json({"tsp_locked.cpp:27", "tsp_locked.cpp:31"}));
  EXPECT_EQ(warning["location"], "tours");
  EXPECT_GT(warning["prefix_events"], 0);
  expect_replay(report);
}

TEST(HuntCommand, HoldsAThreadBackThatHoldsALockWhichTheOtherHasToPass) {
  const ScratchFolder folder;
  const Json report = hunted({"--runs", "1", "--", program("after_the_lock")}, 42, folder);
  EXPECT_EQ(report["per_warning"][0]["result"], "witness");
  expect_replay(report);
}

// Two reads do not race, whatever comes between the write that does and the end of the run.
TEST(HuntCommand, SaysWhatWasAccessedAndHowInARaceThatARunShows) {
  const ScratchFolder folder;
  const Json report = hunted({"--", program("read_after_race")}, 42, folder);
  for (const Json& warning : report["per_warning"]) EXPECT_EQ(warning["location"], "sum");
  for (const Json& finding : report["findings"]) {
    EXPECT_THAT(finding["message"].get<std::string>(), HasSubstr("write"));
  }
  expect_replay(report);
}

TEST(HuntCommand, ShowsARaceOfAProgramLikeEveryOtherFinding) {
  const ScratchFolder folder;
  const SubprocessResult result =
      run_heddle({"hunt", "--out", folder.file("out"), "--", program("after_the_lock")});
  EXPECT_EQ(result.exit_status, 42);
  EXPECT_THAT(result.output, HasSubstr("data race: write of value at after_the_lock.cpp:"));
  EXPECT_THAT(result.output, HasSubstr("write value = 1\n        value = 1;"));
  EXPECT_THAT(result.output, HasSubstr("usual cure:"));
}

TEST(HuntCommand, CallsAWarningOfAProgramSpurious) {
  const ScratchFolder folder;
  const Json report = hunted({"--", program("handed_over")}, 0, folder);
  EXPECT_GT(report["spurious"], 0);
  EXPECT_EQ(report["open"], 0);
}

TEST(HuntCommand, SaysWhatIsForModelsOnly) {
  const SubprocessResult result = run_heddle({"hunt", "--bits", "5", "--", program("handed_over")});
  EXPECT_EQ(result.exit_status, 64);
  EXPECT_THAT(result.errors, HasSubstr("are for models"));
}

TEST(HuntCommand, SaysThatAProgramHasNoRuntime) {
  const SubprocessResult result = run_heddle({"hunt", "--", "/bin/true"});
  EXPECT_EQ(result.exit_status, 125);
  EXPECT_THAT(result.errors, HasSubstr("does not contain Heddle's runtime"));
}

}  // namespace
}  // namespace heddle::hybrid
