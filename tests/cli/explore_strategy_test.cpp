// heddle explore with a bound or at random, as users type it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/heddle_program.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;

std::string model(const std::string& name) { return std::string(HEDDLE_MODELS) + "/" + name; }

auto explore(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "explore");
  return run_heddle(arguments);
}

nlohmann::json json_of(std::vector<std::string> arguments) {
  arguments.push_back("--json");
  const auto result = explore(arguments);
  EXPECT_EQ(result.errors, "");
  auto json = nlohmann::json::parse(result.output);
  json.erase("seconds");
  json.erase("peak_bytes");
  return json;
}

TEST(ExploreStrategy, NeedsAPreemptionForALostUpdate) {
  const std::vector<std::string> arguments = {
      model("lost-update.hm"), "--granularity", "access", "--no-races", "--out",
      testing::TempDir()};
  const auto within = [&](const std::string& bound) {
    auto all = arguments;
    all.insert(all.end(), {"--max-preemptions", bound});
    return explore(all);
  };
  const auto none = within("0");
  EXPECT_EQ(none.exit_status, 0) << none.output << none.errors;
  EXPECT_THAT(none.output,
              HasSubstr("nothing found; the search was bounded by --max-preemptions 0"));
  EXPECT_EQ(within("1").exit_status, 42);
}

TEST(ExploreStrategy, SaysThatItWasCompleteIfNothingWasRefused) {
  const auto text = explore({model("epor/ring.hm"), "-D", "N=3", "--max-preemptions", "50"});
  EXPECT_THAT(text.output, HasSubstr("promise   no preemption was refused\n"
                                     "result    nothing found; the search was complete"));
  const auto json = json_of({model("epor/ring.hm"), "-D", "N=3", "--max-preemptions", "50"});
  EXPECT_EQ(json["algorithm"], "preemptions");
  EXPECT_EQ(json["max_preemptions"], 50);
  EXPECT_EQ(json["preemptions_refused"], 0);
  EXPECT_EQ(json["complete"], true);
}

TEST(ExploreStrategy, IsNotCompleteIfSomethingWasRefused) {
  const std::vector<std::string> arguments = {
      model("dining-philosophers.hm"), "-D", "N=3", "--max-preemptions", "1", "--require-complete"};
  EXPECT_EQ(explore(arguments).exit_status, 5);
  const auto json = json_of(arguments);
  EXPECT_EQ(json["complete"], false);
  EXPECT_GT(json["preemptions_refused"], 0);
}

TEST(ExploreStrategy, RepeatsRandomExecutionsBySeed) {
  const std::vector<std::string> arguments = {model("lost-update.hm"), "--random", "40",
                                              "--keep-going",          "--seed",   "7"};
  const auto json = json_of(arguments);
  EXPECT_EQ(json["algorithm"], "random");
  EXPECT_EQ(json["traces"], 40);
  EXPECT_EQ(json["seed"], 7);
  EXPECT_EQ(json["complete"], false);
  EXPECT_EQ(json, json_of(arguments));
}

TEST(ExploreStrategy, IsNeverCompleteAtRandom) {
  const auto result =
      explore({model("dining-philosophers.hm"), "--random", "10", "--require-complete"});
  EXPECT_EQ(result.exit_status, 5) << result.output << result.errors;
  EXPECT_THAT(result.output, HasSubstr("left to chance (--random 10 --seed 0)"));
}

TEST(ExploreStrategy, SaysHowProbableABugOfTheDepthIs) {
  const std::vector<std::string> arguments = {
      model("dining-philosophers-deadlock.hm"), "-D", "N=2", "--random", "1000", "--pct", "2"};
  const auto result = explore(arguments);
  EXPECT_EQ(result.exit_status, 42) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("an execution shows a bug of depth 2 with probability"));
  const auto json = json_of(arguments);
  EXPECT_EQ(json["algorithm"], "pct");
  EXPECT_EQ(json["pct"], 2);
  EXPECT_GT(json["probability"], 0.0);
}

TEST(ExploreStrategy, RefusesWhatContradictsItself) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--pct", "2"}, "--pct needs --random N"},
      {{"--seed", "2"}, "--seed needs --random N"},
      {{"--random", "5", "--max-preemptions", "2"}, "--random and --max-preemptions are two ways"},
      {{"--random", "5", "--algorithm", "odpor"}, "--algorithm visits every trace and --random"},
      {{"--max-preemptions", "5", "--algorithm", "odpor"}, "every trace and --max-preemptions"},
      {{"--random", "0"}, "--random 0 would search nothing"},
      {{"--random", "5", "--pct", "0"}, "--pct 0 would find nothing"},
      {{"--max-preemptions", "-1"}, "--max-preemptions"},
  };
  for (const auto& [options, message] : cases) {
    std::vector<std::string> arguments = {model("lost-update.hm")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const auto result = explore(arguments);
    EXPECT_EQ(result.exit_status, 64) << message;
    EXPECT_THAT(result.errors, HasSubstr(message));
    EXPECT_EQ(result.output, "");
  }
}

}  // namespace
}  // namespace heddle
