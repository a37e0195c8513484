// heddle ranges, as users type it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/heddle_program.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kFigure = std::string(HEDDLE_MODELS) + "/tsg/figure1.hm";

TEST(RangesCommand, ProvesTheAssertionOfTheFigure) {
  const SubprocessResult result = run_heddle({"ranges", kFigure});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_THAT(result.output, HasSubstr("proved: assert(b1 + b2 <= 5)"));
  EXPECT_THAT(result.output, HasSubstr("Y 2..3"));
}

TEST(RangesCommand, SaysWhatIsNotProved) {
  const SubprocessResult result = run_heddle({"ranges", kFigure, "--published", "--graph", "ccfg"});
  EXPECT_EQ(result.exit_status, 42);
  EXPECT_THAT(result.output, HasSubstr("NOT PROVED"));
}

TEST(RangesCommand, CountsTheGraphsInJson) {
  const auto report = nlohmann::json::parse(run_heddle({"ranges", kFigure, "--json"}).output);
  const auto& graphs = report["graphs"];
  EXPECT_EQ(graphs["ccfg"]["nodes"], 13);
  EXPECT_EQ(graphs["ccfg"]["transaction_edges"], 11);
  EXPECT_EQ(graphs["tsg"]["mats"], 7);
  EXPECT_EQ(graphs["tsg"]["context_switch_edges"], 10);
  EXPECT_EQ(graphs["tsg_prime"]["mats"], 5);
  EXPECT_EQ(graphs["tsg_prime"]["context_switch_edges"], 8);
  EXPECT_EQ(graphs["tsg_prime"]["nodes"], 7);
  EXPECT_EQ(graphs["tsg_prime"]["transaction_edges"], 5);
}

// Two loops of a thread that both count with i.
TEST(RangesCommand, TellsVariablesOfOneNameApart) {
  const std::string bank = std::string(HEDDLE_MODELS) + "/tsg/bank.hm";
  const auto report = nlohmann::json::parse(run_heddle({"ranges", bank, "--json"}).output);
  const auto& intervals = report["states"][0]["intervals"];
  EXPECT_TRUE(intervals.contains("i:19"));
  EXPECT_TRUE(intervals.contains("i:20"));
  EXPECT_TRUE(intervals.contains("total"));
}

TEST(RangesCommand, SaysWhatIsNewOnEachLine) {
  const std::string bank = std::string(HEDDLE_MODELS) + "/tsg/bank.hm";
  const std::string output = run_heddle({"ranges", bank}).output;
  EXPECT_THAT(output, HasSubstr("    35  other = account[to]               mine 0..300\n"));
  EXPECT_THAT(output, HasSubstr("account[2..5] 0..310"));
}

TEST(RangesCommand, Draws) {
  EXPECT_THAT(run_heddle({"ranges", kFigure, "--dot"}).output, StartsWith("digraph"));
  const std::string drawing = run_heddle({"ranges", kFigure, "--svg"}).output;
  EXPECT_THAT(drawing, StartsWith("<svg"));
  EXPECT_THAT(drawing, HasSubstr("30: assert(b1 + b2 &lt;= 5)"));
}

TEST(RangesCommand, RefusesWrongUse) {
  EXPECT_EQ(run_heddle({"ranges", kFigure, "--graph", "tree"}).exit_status, 64);
  EXPECT_EQ(run_heddle({"ranges", "/no/such/model.hm"}).exit_status, 65);
}

}  // namespace
}  // namespace heddle
