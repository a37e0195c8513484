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

struct Searcher {
  const char* name;
  MakeExplorer make;
  bool exactly_once;
  bool keep_sections = false;
};
constexpr Searcher kSearchers[] = {
    {"sdpor", make_sdpor_explorer, false},
    {"odpor", make_odpor_explorer, true},
    {"epor", make_epor_explorer, true},
    {"epor, keeping sections", make_epor_explorer, true, true},
    {"epor-sh", make_epor_sh_explorer, true},
    {"epor-sh, keeping sections", make_epor_sh_explorer, true, true},
};

Outcome explore(TinySystem& system, Seen& seen, const Searcher& searcher) {
  const auto explorer = searcher.make(system, seen, {.keep_sections = searcher.keep_sections});
  const bool finished = explorer->run();
  return {finished, explorer->counters()};
}

void expect_the_same(const Seen& seen, const Seen& expected) {
  for (const auto& [trace, times] : expected.traces) {
    if (!seen.traces.contains(trace)) RC_LOG() << "missed:\n" << trace;
    RC_ASSERT(seen.traces.contains(trace));
  }
  RC_ASSERT(seen.traces.size() == expected.traces.size());
  RC_ASSERT(seen.final_states == expected.final_states);
  RC_ASSERT(seen.deadlocks == expected.deadlocks);
  RC_ASSERT(seen.failures.empty() == expected.failures.empty());
}

void expect_each_once(const Seen& seen, const ExploreCounters& counters) {
  for (const auto& [trace, times] : seen.traces) {
    if (times != 1) RC_LOG() << "visited " << times << " times:\n" << trace;
    RC_ASSERT(times == 1);
  }
  RC_ASSERT(counters.blocked == 0u);
}

struct Reference {
  Searcher searcher;
  std::size_t limit;  // programs with more executions are left out
};
const bool kFull = std::getenv("HEDDLE_TEST_FULL") != nullptr;
const Reference kBruteForce = {{"brute", make_brute_explorer, false}, 60'000};
const Reference kSdpor = {kSearchers[0], kFull ? 4'000u : 1'000u};

void compare_all(const Reference& reference, const TinyProgram& program) {
  TinySystem reference_system(program);
  Seen expected(reference_system, reference.limit);
  if (!explore(reference_system, expected, reference.searcher).finished) return;
  for (const Searcher& searcher : kSearchers) {
    RC_LOG() << searcher.name << " on\n" << describe(program);
    TinySystem system(program);
    Seen seen(system, 200'000);
    const Outcome outcome = explore(system, seen, searcher);
    RC_ASSERT(outcome.finished);
    expect_the_same(seen, expected);
    if (searcher.exactly_once) expect_each_once(seen, outcome.counters);
  }
}

// A case is several programs, so that ./test --full looks at thousands of both kinds.
RC_GTEST_PROP(Explorers, VisitTheTracesThatBruteForceVisits, ()) {
  for (int i = 0; i < (kFull ? 5 : 3); ++i) compare_all(kBruteForce, random_program());
}

RC_GTEST_PROP(WidePrograms, AreVisitedByAllAsBySdpor, ()) {
  for (int i = 0; i < (kFull ? 3 : 1); ++i) compare_all(kSdpor, random_wide_program());
}

// All choices of an operation have to fall asleep together: with another thread tried between two
// of them, sdpor missed traces.
TEST(Explorers, VisitEveryChoiceBesidesWhatIsTriedBetweenTwo) {
  TinyProgram program;
  program.variables = 2;
  program.conditions = 1;
  program.threads = {{{Op::store, 1}, {Op::add, 0, 0}},
                     {{Op::notify_all, 0}, {Op::add, 1, 0}},
                     {{Op::add, 1, 1}},
                     {{Op::choose, 2}, {Op::store_at, 0, 0}}};
  TinySystem brute_system(program);
  Seen expected(brute_system, kBruteForce.limit);
  ASSERT_TRUE(explore(brute_system, expected, kBruteForce.searcher).finished);
  for (const Searcher& searcher : kSearchers) {
    TinySystem system(program);
    Seen seen(system, 10'000);
    EXPECT_TRUE(explore(system, seen, searcher).finished) << searcher.name;
    EXPECT_EQ(seen.traces.size(), expected.traces.size()) << searcher.name;
  }
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
  for (const Searcher& searcher : kSearchers) {
    if (!searcher.exactly_once) continue;
    TinySystem system(program);
    Seen seen(system, 10'000);
    EXPECT_TRUE(explore(system, seen, searcher).finished) << searcher.name;
    EXPECT_EQ(seen.traces.size(), 4320u);
    EXPECT_EQ(seen.executions, 4320u);
  }
}

}  // namespace
}  // namespace heddle
