// The preemption-bounded search against brute force under the same bound, on random
// programs and models: no trace within the bound is missed, nothing beyond it is visited.
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "explore/strategies.h"
#include "model/compile.h"
#include "model/interpreter.h"
#include "tests/explore/preemptions_of.h"
#include "tests/explore/random_program.h"
#include "tests/explore/trace_of.h"
#include "tests/model/random_model.h"

namespace heddle {
namespace {

constexpr std::uint32_t kUnbounded = 1'000;

// The traces that a search saw, with the fewest preemptions of their executions seen.
struct Seen : ExplorationListener {
  Seen(System& system_to_replay, std::size_t at_most) : replay(system_to_replay), limit(at_most) {}

  bool on_execution(const Execution& execution) override {
    const std::uint32_t preemptions = preemptions_of(replay, execution);
    most = std::max(most, preemptions);
    ++executions_with[preemptions];
    const auto [place, is_new] = traces.try_emplace(trace_of(execution), preemptions);
    place->second = std::min(place->second, preemptions);
    return ++executions < limit;
  }
  bool on_failure(const Execution&, Failure) override { return true; }

  std::size_t executions_within(std::uint32_t bound) const {
    std::size_t sum = 0;
    for (const auto& [preemptions, count] : executions_with)
      sum += preemptions <= bound ? count : 0;
    return sum;
  }

  System& replay;
  std::size_t limit;
  std::size_t executions = 0;
  std::uint32_t most = 0;
  std::map<std::string, std::uint32_t> traces;
  std::map<std::uint32_t, std::size_t> executions_with;
};

void compare_with_brute_force(System& system, const Seen& expected, System& replay,
                              std::uint32_t bound) {
  Seen seen(replay, 1'000'000);
  const auto explorer = make_preemptions_explorer(system, seen, {}, bound);
  RC_ASSERT(explorer->run());
  system.rewind(0);
  RC_ASSERT(seen.most <= bound);
  RC_ASSERT(seen.executions <= expected.executions_within(bound));
  std::size_t missed = 0;
  for (const auto& [trace, preemptions] : expected.traces) {
    if (preemptions > bound || seen.traces.contains(trace)) continue;
    RC_LOG() << "missed with " << preemptions << " preemptions, bound " << bound << ":\n" << trace;
    ++missed;
  }
  RC_ASSERT(missed == 0u);
  if (explorer->counters().refused == 0) RC_ASSERT(seen.traces.size() == expected.traces.size());
  if (bound == kUnbounded) RC_ASSERT(explorer->counters().refused == 0u);
}

void compare_all_bounds(System& system, System& replay) {
  Seen expected(replay, 20'000);
  RC_PRE(make_brute_explorer(system, expected, {})->run());
  system.rewind(0);
  for (const std::uint32_t bound : {0u, 1u, 2u, 3u, kUnbounded}) {
    compare_with_brute_force(system, expected, replay, bound);
  }
}

struct Counted {
  std::size_t executions = 0;
  std::size_t traces = 0;
};

Counted count(const TinyProgram& program, std::uint32_t bound) {
  TinySystem system(program), replay(program);
  Seen seen(replay, 1'000'000);
  EXPECT_TRUE(make_preemptions_explorer(system, seen, {}, bound)->run());
  return {seen.executions, seen.traces.size()};
}

TEST(Preemptions, MakeOneExecutionWhereThreadsHaveNothingInCommon) {
  TinyProgram program{.variables = 4, .threads = {}};
  for (std::uint32_t t = 0; t < 4; ++t) program.threads.emplace_back(8, Instruction{Op::add, t, t});
  for (const std::uint32_t bound : {0u, 2u, kUnbounded}) {
    EXPECT_EQ(count(program, bound).executions, 1u);
  }
}

// Two threads of n writes to one variable: with no preemption one of them comes first as a
// whole; with one, the first is interrupted at one of n - 1 places, for good.
TEST(Preemptions, VisitAsManyTracesAsThereAreWithinTheBound) {
  const TinyProgram program{.variables = 1,
                            .threads = {std::vector<Instruction>(5, {Op::write, 0, 1}),
                                        std::vector<Instruction>(5, {Op::write, 0, 2})}};
  EXPECT_EQ(count(program, 0).traces, 2u);
  EXPECT_EQ(count(program, 1).traces, 2u + 2 * 4);
  EXPECT_EQ(count(program, kUnbounded).traces, 252u);
  EXPECT_EQ(count(program, kUnbounded).executions, 252u);
}

RC_GTEST_PROP(Preemptions, MissNoTraceOfAProgramWithinTheBound, ()) {
  const TinyProgram program = random_program();
  RC_LOG() << describe(program);
  TinySystem system(program), replay(program);
  compare_all_bounds(system, replay);
}

void compare_model(const std::string& text) {
  RC_LOG() << text;
  const auto model = model::compile("random.hm", text);
  RC_ASSERT(model.ok());
  model::Interpreter system(*model), replay(*model);
  compare_all_bounds(system, replay);
}

// A switch is needed where an earlier block of the thread begins, not only the last one.
constexpr const char* kEarlierBlock = R"(
  int y = 1; int small = 1; lock m; condition q; semaphore s = 1;
  thread t0 { bool g; g = trywait(s); post(s); fork t1; skip; small = 0; y = y; }
  thread t1 forked { lock(m); if (y == 0) { wait(q, m); } skip; unlock(m); }
  thread t2 {
    int u; bool g;
    if (small != 0) { u = 1; } else { u = y; notify(q); }
    g = trylock(m);
    if (g) { post(s); unlock(m); }
  }
)";
// What a thread waits for is taken by one, and then looked for by another.
constexpr const char* kTokenTaken = R"(
  lock m; semaphore s = 1;
  thread t0 { bool g; fork t1; g = trywait(s); skip; }
  thread t1 forked { skip; wait(s); }
  thread t2 { bool g; g = trylock(m); if (g) { g = trywait(s); unlock(m); } }
)";

// Within one preemption only if t0 comes to the lock while t1 has it: leaving t0 is free then.
constexpr const char* kFreeSwitch = R"(
  int x; lock m;
  thread t0 { int u; u = x; lock(m); x = 1; }
  thread t1 { x = 2; lock(m); unlock(m); x = 3; }
)";

RC_GTEST_PROP(Preemptions, MissNoTraceOfAModelThatNeedsCare, ()) {
  compare_model(*rc::gen::element(kEarlierBlock, kTokenTaken, kFreeSwitch));
}

RC_GTEST_PROP(Preemptions, MissNoTraceOfAModelWithinTheBound, (std::uint64_t seed)) {
  const RandomModelOptions options{.threads = 2 + static_cast<std::uint32_t>(seed % 2),
                                   .statements = 2};
  compare_model(random_model(options, seed));
}

}  // namespace
}  // namespace heddle
