// Every explorer against brute force, on random programs: the same Mazurkiewicz traces,
// final states, deadlocks and failures; each trace once, where that is promised.
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

void compare_with_brute_force(MakeExplorer make, bool exactly_once) {
  const TinyProgram program = random_program();
  RC_LOG() << describe(program);
  TinySystem brute_system(program);
  Seen expected(brute_system, 60'000);
  RC_PRE(explore(brute_system, expected, make_brute_explorer).finished);
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

}  // namespace
}  // namespace heddle
