// heddle predict, as users type it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/heddle_program.h"
#include "tests/cli/scratch_folder.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

// The lock orders the two writes of x by luck.
constexpr const char* kLucky =
    "T1|w(x)|1\nT1|acq(L)|2\nT1|rel(L)|3\nT2|acq(L)|4\nT2|rel(L)|5\nT2|w(x)|6\n";
constexpr const char* kRing =
    "T1|acq(A)|1\nT1|acq(B)|2\nT1|rel(B)|3\nT1|rel(A)|4\n"
    "T2|acq(B)|5\nT2|acq(A)|6\nT2|rel(A)|7\nT2|rel(B)|8\n";
// Figure 1 of the NDET paper: no race, but the read can see the initial value.
constexpr const char* kFigure1 =
    "T1|acq(L)|1\nT1|w(x)|2\nT1|rel(L)|3\nT2|acq(L)|4\nT2|r(x)|5\nT2|rel(L)|6\n";
constexpr const char* kTornScope = "T1|acq(L)|1\nT1|r(x)|2\nT1|r(x)|3\nT1|rel(L)|4\nT2|w(x)|5\n";

class Predict : public ::testing::Test {
 protected:
  SubprocessResult predict(const std::string& trace, std::vector<std::string> more = {}) {
    std::vector<std::string> words = {"predict", scratch_.write("trace.std", trace), "--out",
                                      scratch_.file("out")};
    words.insert(words.end(), more.begin(), more.end());
    return run_heddle(words);
  }
  Json predict_json(const std::string& trace, std::vector<std::string> more = {}) {
    more.push_back("--json");
    return Json::parse(predict(trace, more).output);
  }

  ScratchFolder scratch_;
};

TEST_F(Predict, FindsTheRaceThatALuckyLockOrderHid) {
  const auto result = predict(kLucky);
  EXPECT_EQ(result.exit_status, 42);
  EXPECT_THAT(result.output, HasSubstr("race: write of x at 1 and write at 6"));
  EXPECT_THAT(result.output, HasSubstr("happens-before alone: 0 pairs; Lockset alone: 1 location"));
}

TEST_F(Predict, TheWitnessIsAReorderingAndATrace) {
  const Json json = predict_json(kLucky);
  const Json& finding = json["findings"][0];
  EXPECT_EQ(finding["kind"], "race");
  EXPECT_EQ(finding["events"], (Json{0, 5}));
  EXPECT_EQ(finding["sites"], (Json{"1", "6"}));
  EXPECT_EQ(finding["confirmed"], false);
  std::string sequence;
  for (const auto& event : finding["witness"]) sequence += fmt::format("{} ", event.get<int>());
  const auto checked =
      run_heddle({"trace", "check-reordering", scratch_.write("trace.std", kLucky), sequence});
  EXPECT_EQ(checked.exit_status, 0) << checked.output << checked.errors;
  const auto shown = run_heddle({"trace", "show", finding["trace"]});
  EXPECT_THAT(shown.output, HasSubstr("acquire L"));
}

TEST_F(Predict, FindsARingOfLocks) {
  const Json json = predict_json(kRing);
  EXPECT_EQ(json["deadlocks"]["patterns"], 1);
  EXPECT_EQ(json["findings"][0]["events"], (Json{1, 5}));
  EXPECT_EQ(predict(kRing).exit_status, 42);
}

TEST_F(Predict, ANondeterministicReadIsInformationUnlessAskedFor) {
  const auto result = predict(kFigure1);
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_THAT(result.output, HasSubstr("read of x at 5 can see the initial value"));
  EXPECT_EQ(predict(kFigure1, {"--deterministic"}).exit_status, 42);
  EXPECT_EQ(predict(kFigure1, {"--deterministic=x"}).exit_status, 42);
  EXPECT_EQ(predict(kFigure1, {"--deterministic=y"}).exit_status, 0);
}

TEST_F(Predict, ABrokenScopeIsInformation) {
  const Json json = predict_json(kTornScope, {"--questions", "atomicity"});
  EXPECT_EQ(json["atomicity"]["patterns"], 1);
  EXPECT_EQ(json["findings"][0]["kind"], "atomicity");
  EXPECT_EQ(json["races"]["asked"], false);
  EXPECT_EQ(predict(kTornScope, {"--questions", "atomicity"}).exit_status, 0);
}

TEST_F(Predict, PaperModeHasTheColumnsOfThePaper) {
  const Json json = predict_json(kFigure1, {"--mode", "paper"});
  EXPECT_EQ(json["mode"], "paper");
  const Json& columns = json["nondeterminism"];
  EXPECT_EQ(columns["possible_witnesses"], 6);
  EXPECT_EQ(columns["cyclic"].get<int>() + columns["no_choice"].get<int>() +
                columns["with_choice"].get<int>(),
            6);
  EXPECT_EQ(columns["feasible"], 2);
}

TEST_F(Predict, FindingsReplaceThoseOfTheLastTime) {
  predict(kRing);
  const Json json = predict_json(kLucky);
  EXPECT_THAT(json["findings"][0]["file"].get<std::string>(), HasSubstr("finding-1.json"));
}

TEST_F(Predict, SaysThatANameIsNotInTheTrace) {
  EXPECT_THAT(predict(kFigure1, {"--deterministic=y"}).errors, HasSubstr("--deterministic=y: no"));
  EXPECT_EQ(predict(kFigure1, {"--deterministic=x"}).errors, "");
  EXPECT_THAT(predict(kFigure1, {"--atomic", "work"}).errors, HasSubstr("--atomic work: no event"));
}

TEST_F(Predict, PaperModeRefusesWhatOnlyExactModeDoes) {
  EXPECT_EQ(predict(kFigure1, {"--mode", "paper", "--questions", "races"}).exit_status, 64);
  EXPECT_EQ(predict(kFigure1, {"--mode", "paper", "--deterministic"}).exit_status, 64);
}

TEST_F(Predict, SaysWhatIsWrongWithTheCommandLineOrTheTrace) {
  EXPECT_EQ(predict(kLucky, {"--mode", "best"}).exit_status, 64);
  EXPECT_EQ(predict(kLucky, {"--questions", "raes"}).exit_status, 64);
  EXPECT_EQ(predict(kLucky, {"--budget", "-1"}).exit_status, 64);
  EXPECT_EQ(predict("T1|rel(L)|1\n").exit_status, 65);
  EXPECT_EQ(run_heddle({"predict", scratch_.file("missing.std")}).exit_status, 65);
}

}  // namespace
}  // namespace heddle
