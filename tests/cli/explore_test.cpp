// heddle explore, as users type it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/heddle_program.h"

namespace heddle {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

std::string model(const std::string& name) { return std::string(HEDDLE_MODELS) + "/" + name; }

TEST(Explore, VisitsEveryTraceOfAModel) {
  const auto result = run_heddle({"explore", model("epor/ring.hm"), "-D", "N=5", "--json"});
  EXPECT_EQ(result.exit_status, 0) << result.errors;
  const auto json = nlohmann::json::parse(result.output);
  EXPECT_EQ(json["algorithm"], "epor");
  EXPECT_EQ(json["traces"], 30);
  EXPECT_EQ(json["complete"], true);
  EXPECT_EQ(json["findings"].size(), 0u);
}

TEST(Explore, FindsADeadlockByEveryAlgorithm) {
  for (const std::string algorithm : {"brute", "sdpor", "odpor", "epor", "epor-sh"}) {
    const auto result =
        run_heddle({"explore", model("dining-philosophers-deadlock.hm"), "--algorithm", algorithm,
                    "-D", "N=3", "--out", ::testing::TempDir() + "/heddle-explore-test"});
    EXPECT_EQ(result.exit_status, 42) << algorithm << result.errors;
    EXPECT_THAT(result.output, ContainsRegex("^deadlock: ")) << algorithm;
  }
}

TEST(Explore, FindsNothingWherePhilosophersAreRight) {
  const auto result = run_heddle({"explore", model("dining-philosophers.hm"), "-D", "N=3"});
  EXPECT_EQ(result.exit_status, 0) << result.output << result.errors;
  EXPECT_THAT(result.output, HasSubstr("nothing found; the search was complete"));
}

TEST(Explore, SaysWhichAlgorithmWasMeant) {
  const auto result = run_heddle({"explore", model("epor/ring.hm"), "--algorithm", "opdor"});
  EXPECT_EQ(result.exit_status, 64);
  EXPECT_THAT(result.errors, HasSubstr("unknown algorithm 'opdor'; did you mean 'odpor'?"));
}

TEST(Explore, SaysWhenItWasBounded) {
  const auto result = run_heddle({"explore", model("epor/ring.hm"), "-D", "N=4", "--algorithm",
                                  "odpor", "--max-steps", "2", "--require-complete"});
  EXPECT_EQ(result.exit_status, 5);
  EXPECT_THAT(result.output, HasSubstr("the search was bounded"));
}

}  // namespace
}  // namespace heddle
