// The estimate tends to the number of Mazurkiewicz traces.
#include "explore/estimate.h"

#include <gtest/gtest.h>

#include "explore/explorer.h"
#include "tests/model/support.h"

namespace heddle {
namespace {

double estimate_of(const std::string& text, int walks) {
  const model::Model model = model_of(text);
  model::Interpreter system(model);
  TraceEstimate estimate(system, 7, 1000);
  for (int i = 0; i < walks; ++i) estimate.walk();
  return estimate.mean();
}

TEST(TraceEstimate, IsExactWhereEveryWalkSaysTheSame) {
  EXPECT_EQ(estimate_of("int x; thread a { x = 1; } thread b { x = 2; }", 50), 2);
  EXPECT_EQ(estimate_of("int x; thread a { x = choose(0..4); }", 50), 5);
}

TEST(TraceEstimate, DoesNotCountIndependentOrders) {
  const std::string text = "int a[3]; thread t(i : 0..2) { a[i] = 1; }";
  EXPECT_NEAR(estimate_of(text, 20'000), 1, 0.1);
}

TEST(TraceEstimate, DoesNotCountWhatAnAssumptionDrops) {
  const std::string text = "int x; thread a { x = choose(0..3); assume(x == 2); }";
  EXPECT_NEAR(estimate_of(text, 20'000), 1, 0.1);
}

TEST(TraceEstimate, IsNearTheNumberOfTraces) {
  const auto ring = model::load(std::string(HEDDLE_MODELS) + "/epor/ring.hm", {{{"N", 5}}}).value();
  model::Interpreter system(ring);
  TraceEstimate estimate(system, 3, 1000);
  EXPECT_GT(estimate.relative_error(), 1) << "nothing can be said yet";
  for (int i = 0; i < 20'000; ++i) estimate.walk();
  EXPECT_LT(estimate.relative_error(), 0.1);
  EXPECT_NEAR(estimate.mean(), 30, 3);
}

}  // namespace
}  // namespace heddle
