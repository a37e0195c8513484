// Every explorer against brute force, on random programs: the same Mazurkiewicz traces,
// final states, deadlocks and failures; each trace once, where that is promised. Programs
// that are too wide for brute force are compared with sdpor, which shares the least with
// the others.
#include <cstdlib>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "explore/explorer.h"
#include "tests/explore/random_program.h"
#include "tests/explore/trace_of.h"

namespace heddle {
namespace {

using MakeExplorer = decltype(&make_brute_explorer);

// What a search saw.
struct Seen : ExplorationListener {
  explicit Seen(TinySystem& tiny, std::size_t at_most) : system(tiny), limit(at_most) {}

  bool on_execution(const Execution& execution) override {
    ++traces[trace_of(execution)];
    final_states.insert(system.final_state());
    bool blocked = false;
    for (ThreadId t : indices<ThreadId>(system.thread_count())) {
      blocked = blocked || system.readiness(t) == Readiness::blocked;
    }
    if (blocked) deadlocks.insert(system.final_state());
    return ++executions < limit;
  }
  bool on_failure(const Execution& execution, Failure) override {
    failures.insert(system.final_state());
    static_cast<void>(execution);
    return true;
  }

  TinySystem& system;
  std::size_t limit;
  std::size_t executions = 0;
  std::map<std::string, int> traces;
  std::set<std::string> final_states, deadlocks, failures;
};

struct Outcome {
  bool finished;
  ExploreCounters counters;
};

Outcome explore(TinySystem& system, Seen& seen, MakeExplorer make) {
  const auto explorer = make(system, seen, {});
  const bool finished = explorer->run();
  return {finished, explorer->counters()};
}

struct Reference {
  MakeExplorer make;
  std::size_t limit;  // programs with more executions are left out
};
constexpr Reference kBruteForce = {make_brute_explorer, 60'000};
const Reference kSdpor = {make_sdpor_explorer, std::getenv("HEDDLE_TEST_FULL") ? 10'000u : 1'000u};

void compare(const Reference& reference, const TinyProgram& program, MakeExplorer make,
             bool exactly_once) {
  RC_LOG() << describe(program);
  TinySystem reference_system(program);
  Seen expected(reference_system, reference.limit);
  RC_PRE(explore(reference_system, expected, reference.make).finished);
  TinySystem system(program);
  Seen seen(system, 200'000);
  const Outcome outcome = explore(system, seen, make);
  RC_ASSERT(outcome.finished);
  for (const auto& [trace, times] : expected.traces) {
    if (!seen.traces.contains(trace)) RC_LOG() << "missed:\n" << trace;
    RC_ASSERT(seen.traces.contains(trace));
  }
  RC_ASSERT(seen.traces.size() == expected.traces.size());
  RC_ASSERT(seen.final_states == expected.final_states);
  RC_ASSERT(seen.deadlocks == expected.deadlocks);
  RC_ASSERT(seen.failures.empty() == expected.failures.empty());
  if (exactly_once) {
    for (const auto& [trace, times] : seen.traces) {
      if (times != 1) RC_LOG() << "visited " << times << " times:\n" << trace;
      RC_ASSERT(times == 1);
    }
    RC_ASSERT(outcome.counters.blocked == 0u);
  }
}

void compare_with_brute_force(MakeExplorer make, bool exactly_once) {
  compare(kBruteForce, random_program(), make, exactly_once);
}

RC_GTEST_PROP(Explorers, SdporVisitsEveryTrace, ()) {
  compare_with_brute_force(make_sdpor_explorer, false);
}
RC_GTEST_PROP(Explorers, OdporVisitsEveryTraceOnce, ()) {
  compare_with_brute_force(make_odpor_explorer, true);
}
RC_GTEST_PROP(Explorers, EporVisitsEveryTraceOnce, ()) {
  compare_with_brute_force(make_epor_explorer, true);
}
RC_GTEST_PROP(Explorers, EporShVisitsEveryTraceOnce, ()) {
  compare_with_brute_force(make_epor_sh_explorer, true);
}

RC_GTEST_PROP(WidePrograms, AreVisitedByOdporAsBySdporButOnce, ()) {
  compare(kSdpor, random_wide_program(), make_odpor_explorer, true);
}
RC_GTEST_PROP(WidePrograms, AreVisitedByEporAsBySdporButOnce, ()) {
  compare(kSdpor, random_wide_program(), make_epor_explorer, true);
}
RC_GTEST_PROP(WidePrograms, AreVisitedByEporShAsBySdporButOnce, ()) {
  compare(kSdpor, random_wide_program(), make_epor_sh_explorer, true);
}

// Which branch a reversal follows must not hang on what only one execution contains: such a
// search visited 4,312 of the 4,320 traces.
TEST(WidePrograms, AreVisitedCompletelyWhereAnotherEndNeedsAnotherBranch) {
  TinyProgram program;
  program.variables = 8;
  program.threads = {{{Op::add, 1, 3}},
                     {{Op::store, 4}},
                     {{Op::add, 5, 7}, {Op::load, 4}},
                     {{Op::add, 2, 5}},
                     {{Op::store, 5}, {Op::store, 4}},
                     {{Op::write, 7, 1}, {Op::add, 7, 1}},
                     {{Op::write, 3, 1}},
                     {{Op::write, 1, 0}, {Op::write, 5, 2}}};
  for (const MakeExplorer make : {make_odpor_explorer, make_epor_explorer, make_epor_sh_explorer}) {
    TinySystem system(program);
    Seen seen(system, 10'000);
    EXPECT_TRUE(explore(system, seen, make).finished);
    EXPECT_EQ(seen.traces.size(), 4320u);
    EXPECT_EQ(seen.executions, 4320u);
  }
}

}  // namespace
}  // namespace heddle
