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

std::vector<double> totals_of(const std::string& text, TraceEstimate& estimate) {
  const model::Model model = model_of(text);
  model::Interpreter system(model);
  Asking asking(estimate);
  ListenerGroup group;
  group.add(estimate);
  group.add(asking);
  make_odpor_explorer(system, group, {})->run();
  return asking.totals;
}

TEST(TraceEstimate, IsRightAsSoonAsOneNodeOfARegularTreeIsKnown) {
  TraceEstimate estimate;
  const auto totals = totals_of(
      "int x; thread a { x = choose(0..4); x = choose(0..4); x = choose(0..4); }", estimate);
  ASSERT_EQ(totals.size(), 125u);
  for (std::size_t i = 6; i < totals.size(); ++i) EXPECT_NEAR(totals[i], 125, 0.001) << i;
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
  totals_of("int x; thread a { x = choose(0..3); assume(x == 3); }", estimate);
  EXPECT_NEAR(estimate.total(), 1, 0.001);
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
