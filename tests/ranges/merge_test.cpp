// Merged trace programs do what each of the traces does, and their ranges hold.
#include "model/merge.h"

#include <gtest/gtest.h>

#include "ranges/analysis.h"
#include "tests/model/brute_force.h"
#include "tests/model/support.h"
#include "tests/ranges/reachable.h"

namespace heddle {
namespace {

constexpr const char* kDeclarations = "int x = 0; int y = 0; lock l;\n";

model::Model trace(const std::string& a, const std::string& b) {
  return model_of(std::string(kDeclarations) + "thread a { int u = 0; " + a +
                  " }\nthread b { int v = 0; " + b + " }\n");
}

model::Model merged(const std::vector<const model::Model*>& traces) {
  auto made = model::merge(traces);
  EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().message);
  return std::move(made).value();
}

std::size_t choices(const model::Model& model) {
  std::size_t count = 0;
  for (const model::StateId state : indices(model.states)) count += model.chooses(state) ? 1 : 0;
  return count;
}

Exploration explored(const model::Model& model) {
  model::Interpreter interpreter(model);
  return explore_all(interpreter);
}

TEST(Merge, OfOneTraceIsThatTrace) {
  const model::Model one = trace("u = x; y = u + 1;", "x = 2;");
  const model::Model made = merged({&one, &one});
  EXPECT_EQ(choices(made), 0U);
  EXPECT_EQ(made.transitions.size(), one.transitions.size());
  EXPECT_EQ(explored(made).traces, explored(one).traces);
}

TEST(Merge, SharesWhatTracesBeginAndEndWith) {
  const model::Model yes = trace("u = x; assume(u == 2); y = 7; x = 1;", "x = 2;");
  const model::Model no = trace("u = x; assume(u != 2); y = 5; x = 1;", "x = 2;");
  const model::Model made = merged({&yes, &no});
  EXPECT_EQ(choices(made), 1U);
  // Both middles of two, two ways into them, and what is shared once.
  EXPECT_EQ(made.transitions.size(), yes.transitions.size() + 2 + 2);
}

TEST(Merge, CanDoWhatEachTraceCan) {
  const model::Model yes = trace("u = x; assume(u == 2); y = 7;", "x = 2;");
  const model::Model no = trace("u = x; assume(u != 2); y = 5;", "x = 2; y = 1;");
  const Exploration all = explored(merged({&yes, &no}));
  for (const model::Model* one : {&yes, &no}) {
    EXPECT_GE(all.traces, explored(*one).traces);
  }
}

TEST(Merge, BranchesAgainInsideABranch) {
  const model::Model a = trace("x = 1; y = 1;", "skip;");
  const model::Model b = trace("x = 1; y = 2; u = 1;", "skip;");
  const model::Model c = trace("x = 3;", "skip;");
  const model::Model made = merged({&a, &b, &c});
  EXPECT_EQ(choices(made), 2U);
}

TEST(Merge, HasRangesThatHold) {
  const model::Model yes = trace("u = x; assume(u == 2); y = u + 5;", "lock(l); x = 2; unlock(l);");
  const model::Model no = trace("u = x; assume(u != 2); y = 5;", "x = 3;");
  const model::Model made = merged({&yes, &no});
  const auto program = ranges::make_program(made, 3);
  ASSERT_TRUE(program.ok());
  for (const ranges::GraphKind kind : ranges::kGraphKinds) {
    const ranges::Analysis analysis = ranges::analyse(**program, kind);
    EXPECT_TRUE(analysis.unreachable.empty());
    model::Interpreter interpreter(made);
    EXPECT_TRUE(for_each_state(interpreter, 10000, [&] {
      ASSERT_EQ(wrong_here(interpreter, analysis).value_or(""), "");
    }));
  }
}

TEST(Merge, RefusesOtherDeclarationsAndBranches) {
  const model::Model one = trace("x = 1;", "x = 2;");
  const model::Model other = model_of("int x; thread a { x = 1; }");
  const model::Model branching = trace("if (x == 1) y = 1;", "x = 2;");
  const std::vector<const model::Model*> different{&one, &other}, branches{&branching};
  EXPECT_NE(model::merge(different).error().message.find("different variables"), std::string::npos);
  EXPECT_NE(model::merge(branches).error().message.find("no straight line"), std::string::npos);
}

}  // namespace
}  // namespace heddle
