// The estimate of the number of traces.
#include "explore/estimate.h"

#include <gtest/gtest.h>

#include "explore/listeners.h"
#include "tests/model/support.h"

namespace heddle {
namespace {

// Asks for the estimate after every trace.
struct Asking : ExplorationListener {
  explicit Asking(TraceEstimate& asked) : estimate(asked) {}
  bool on_execution(const Execution&) override {
    totals.push_back(estimate.total());
    estimate.sample();
    return true;
  }
  bool on_failure(const Execution&, Failure) override { return true; }

  TraceEstimate& estimate;
  std::vector<double> totals;
};

std::vector<double> totals_of(const model::Model& model, TraceEstimate& estimate) {
  model::Interpreter system(model);
  Asking asking(estimate);
  ListenerGroup group;
  group.add(estimate);
  group.add(asking);
  const auto explorer = make_odpor_explorer(system, group, {});
  estimate.watch(*explorer);
  explorer->run();
  return asking.totals;
}

std::vector<double> totals_of(const std::string& text, TraceEstimate& estimate) {
  return totals_of(model_of(text), estimate);
}

TEST(TraceEstimate, IsRightAsSoonAsOneNodeOfARegularTreeIsKnown) {
  TraceEstimate estimate;
  const auto totals = totals_of(
      "int x; thread a { x = choose(0..4); x = choose(0..4); x = choose(0..4); }", estimate);
  ASSERT_EQ(totals.size(), 125u);
  for (std::size_t i = 6; i < totals.size(); ++i) EXPECT_NEAR(totals[i], 125, 0.001) << i;
}

// On searches of quite different shapes. In that of readers-writers each branch is as large as
// all before it together, so that nothing tells how many are to come.
TEST(TraceEstimate, IsWithinAFactorOfTenAfterAThirdAndOfTwoAfterHalf) {
  struct Case {
    std::string name;
    std::int64_t parameter;
  };
  for (const auto& [name, parameter] :
       {Case{"readers-writers", 10}, Case{"last-zero", 10}, Case{"ring", 11}, Case{"branching", 7},
        Case{"ring-extended", 5}, Case{"indexer", 14}, Case{"shared-pointer", 50}}) {
    model::CompileOptions options;
    options.definitions = {{"N", parameter}};
    const auto model = model::load(HEDDLE_MODELS "/epor/" + name + ".hm", options);
    ASSERT_TRUE(model.ok()) << model.error().message;
    TraceEstimate estimate;
    const auto totals = totals_of(*model, estimate);
    const auto traces = static_cast<double>(totals.size());
    const double after_a_third = totals[totals.size() / 3] / traces;
    const double after_half = totals[totals.size() / 2] / traces;
    EXPECT_TRUE(after_a_third > 0.1 && after_a_third < 10) << name << ": " << after_a_third;
    EXPECT_TRUE(after_half > 0.49 && after_half < 2.1) << name << ": " << after_half;
  }
}

TEST(TraceEstimate, IsNeverLessThanWhatWasVisited) {
  TraceEstimate estimate;
  const auto totals = totals_of("int x; thread t(i : 0..3) { x = i; x += 1; }", estimate);
  for (std::size_t i = 0; i < totals.size(); ++i) {
    EXPECT_GE(totals[i] + 0.001, static_cast<double>(i + 1));
  }
}

TEST(TraceEstimate, DoesNotCountWhatAnAssumptionDrops) {
  TraceEstimate estimate;
  const auto totals = totals_of("int x; thread a { x = choose(0..3); assume(x == 3); }", estimate);
  ASSERT_EQ(totals.size(), 1u);
  EXPECT_NEAR(totals.back(), 1, 0.001);
}

TEST(TraceEstimate, IsToldOnlyWhileItAgreesWithItself) {
  TraceEstimate steady, jumping;
  EXPECT_FALSE(steady.agreed()) << "nothing is known yet";
  totals_of("int x; thread a { x = choose(0..4); x = choose(0..4); }", steady);
  ASSERT_TRUE(steady.agreed());
  EXPECT_NEAR(*steady.agreed(), 25, 0.001);
  totals_of("int x; thread a { x = choose(0..8); }", jumping);
  EXPECT_FALSE(jumping.agreed()) << "it grew with every trace";
}

}  // namespace
}  // namespace heddle
