// Races, deadlocks and atomicity against the enumeration of all reorderings.
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "predict/atomicity.h"
#include "predict/deadlocks.h"
#include "predict/lockset_warnings.h"
#include "predict/race_candidates.h"
#include "predict/races.h"
#include "tests/predict/small_traces.h"
#include "tests/trace/trace_builder.h"
#include "trace/enumerate.h"
#include "trace/reordering.h"

namespace heddle::predict {
namespace {

template <typename Map>
auto keys(const Map& map) {
  std::set<typename Map::key_type> result;
  for (const auto& [key, witness] : map) result.insert(key);
  return result;
}

// A yes has to be shown by a sequence that the checker accepts.
bool is_shown(const Trace& trace, const Shown& shown) {
  RC_ASSERT(shown.answer != Answer::undecided);
  if (shown.answer == Answer::no) return false;
  RC_ASSERT(!check_reordering(trace, shown.sequence, {.question = shown.question}));
  return true;
}

// With windows of a few events nothing false is said, and what is not found is undecided.
constexpr Budget kTinyWindows{.steps = 20'000, .windows = {1, 3}};

template <typename Key>
struct Answers {
  std::set<Key> yes;
  std::set<Key> undecided;

  void add(const Trace& trace, const Key& key, const Shown& shown) {
    if (shown.answer == Answer::undecided) undecided.insert(key);
    if (shown.answer != Answer::yes) return;
    RC_ASSERT(!check_reordering(trace, shown.sequence, {.question = shown.question}));
    yes.insert(key);
  }
  void compare(const std::set<Key>& all) const {
    for (const Key& key : yes) RC_ASSERT(all.contains(key));
    for (const Key& key : all) RC_ASSERT(yes.contains(key) || undecided.contains(key));
  }
};

void compare_races(const Trace& trace) {
  const Oracle oracle = enumerate(
      trace,
      {.nondeterminism = false, .paper_kinds = false, .deadlocks = false, .atomicity = false});
  if (!oracle.complete) return;
  const Derived derived(trace);
  const Facts facts(trace, derived);
  Races races(facts, {});
  std::set<EventPair> adjacent;
  std::set<EventPair> unordered;
  for (EventId f : trace.events()) {
    for (EventId e : indices<EventId>(f.value())) {
      if (!conflict(facts, e, f)) continue;
      const RaceAnswer answer = races.ask({e, f});
      if (is_shown(trace, answer.adjacent)) adjacent.insert({e, f});
      if (is_shown(trace, answer.unordered)) unordered.insert({e, f});
    }
  }
  RC_ASSERT(adjacent == keys(oracle.adjacent_races));
  RC_ASSERT(unordered == keys(oracle.unordered_races));
}

// What is left out in front of the engine never races.
void compare_race_candidates(const Trace& trace) {
  const Oracle oracle = enumerate(
      trace,
      {.nondeterminism = false, .paper_kinds = false, .deadlocks = false, .atomicity = false});
  if (!oracle.complete) return;
  const Derived derived(trace);
  const Facts facts(trace, derived);
  const RaceCandidates candidates = find_race_candidates(facts, Places(facts), ~0ull, 1);
  std::set<EventPair> listed;
  for (const RaceCandidate& candidate : candidates.pairs) listed.insert(candidate.pair);
  for (const auto& [pair, witness] : oracle.adjacent_races) RC_ASSERT(listed.contains(pair));
  for (const auto& [pair, witness] : oracle.unordered_races) RC_ASSERT(listed.contains(pair));
  RC_ASSERT(listed.size() == candidates.pairs.size());
  RC_ASSERT(candidates.left_out == 0u);
}

GenerateOptions with_forks(std::uint64_t seed) {
  GenerateOptions options = mixed_options(seed);
  options.fork_join = true;
  return options;
}

RC_GTEST_PROP(RaceCandidates, ContainAllRaces, ()) {
  for_some_traces(with_forks, compare_race_candidates);
}

TEST(RaceCandidates, LeaveOutWhatForkAndJoinOrder) {
  const Trace trace = trace_of({"T1 w x", "T1 fork T2", "T2 w x", "T1 join T2", "T1 fork T3",
                                "T3 w x", "T1 w x", "T1 join T3", "T1 w x"});
  const Derived derived(trace);
  const Facts facts(trace, derived);
  const RaceCandidates candidates = find_race_candidates(facts, Places(facts), ~0ull, 1);
  EXPECT_EQ(candidates.conflicts, 7u);
  EXPECT_EQ(candidates.joined, 6u);
  ASSERT_EQ(candidates.pairs.size(), 1u);
  EXPECT_EQ(candidates.pairs[0].pair, (EventPair{EventId(5), EventId(6)}));
}

// The whole pair is written under its lock, half of it is read without.
TEST(LocksetWarnings, SeeAccessesOfSeveralSizesThatMeet) {
  const Trace trace =
      trace_of({"location pair R 0 16", "location half R 8 8", "T1 acq L", "T1 w pair", "T1 rel L",
                "T2 acq L", "T2 w pair", "T2 rel L", "T1 r half"});
  const Derived derived(trace);
  const Facts facts(trace, derived);
  EXPECT_EQ(lockset_warnings(facts), (std::vector<EventId>{EventId(6)}));
}

void compare_races_in_windows(const Trace& trace) {
  const Oracle oracle = enumerate(
      trace,
      {.nondeterminism = false, .paper_kinds = false, .deadlocks = false, .atomicity = false});
  if (!oracle.complete) return;
  const Derived derived(trace);
  const Facts facts(trace, derived);
  Races races(facts, kTinyWindows);
  Answers<EventPair> adjacent;
  Answers<EventPair> unordered;
  for (EventId f : trace.events()) {
    for (EventId e : indices<EventId>(f.value())) {
      if (!conflict(facts, e, f)) continue;
      const RaceAnswer answer = races.ask({e, f});
      adjacent.add(trace, {e, f}, answer.adjacent);
      unordered.add(trace, {e, f}, answer.unordered);
    }
  }
  adjacent.compare(keys(oracle.adjacent_races));
  unordered.compare(keys(oracle.unordered_races));
}

RC_GTEST_PROP(TinyWindows, NeverSayAnythingFalseAboutRaces, ()) {
  for_some_traces(mixed_options, compare_races_in_windows);
}
RC_GTEST_PROP(TinyWindows, NeverSayAnythingFalseAboutRacesUnderLocks, ()) {
  for_some_traces(plain_options, compare_races_in_windows);
}

RC_GTEST_PROP(RacesEqualEnumeration, OnAllSortsOfTraces, ()) {
  for_some_traces(mixed_options, compare_races);
}
RC_GTEST_PROP(RacesEqualEnumeration, OnLocksAndConditions, ()) {
  for_some_traces(plain_options, compare_races);
}

GenerateOptions many_locks(std::uint64_t seed) {
  GenerateOptions options = plain_options(seed);
  options.locks = 3;
  options.locations = 1;
  return options;
}

void compare_deadlocks(const Trace& trace) {
  const Oracle oracle = enumerate(trace, {.nondeterminism = false,
                                          .paper_kinds = false,
                                          .adjacent_races = false,
                                          .unordered_races = false,
                                          .atomicity = false});
  if (!oracle.complete) return;
  const Derived derived(trace);
  const Facts facts(trace, derived);
  std::set<std::set<EventId>> found;
  Deadlocks(facts, {}).ask_all([&](const DeadlockAnswer& answer) {
    if (is_shown(trace, answer.shown)) found.emplace(answer.waiting.begin(), answer.waiting.end());
  });
  RC_ASSERT(found == keys(oracle.deadlocks));
}

void compare_deadlocks_in_windows(const Trace& trace) {
  const Oracle oracle = enumerate(trace, {.nondeterminism = false,
                                          .paper_kinds = false,
                                          .adjacent_races = false,
                                          .unordered_races = false,
                                          .atomicity = false});
  if (!oracle.complete) return;
  const Derived derived(trace);
  const Facts facts(trace, derived);
  Answers<std::set<EventId>> found;
  Deadlocks(facts, {.budget = kTinyWindows}).ask_all([&](const DeadlockAnswer& answer) {
    found.add(trace, {answer.waiting.begin(), answer.waiting.end()}, answer.shown);
  });
  found.compare(keys(oracle.deadlocks));
}

RC_GTEST_PROP(TinyWindows, NeverSayAnythingFalseAboutDeadlocks, ()) {
  for_some_traces(many_locks, compare_deadlocks_in_windows);
}

RC_GTEST_PROP(DeadlocksEqualEnumeration, OnAllSortsOfTraces, ()) {
  for_some_traces(mixed_options, compare_deadlocks);
}
RC_GTEST_PROP(DeadlocksEqualEnumeration, OnManyLocks, ()) {
  for_some_traces(many_locks, compare_deadlocks);
}

void compare_atomicity(const Trace& trace) {
  const Oracle oracle = enumerate(trace, {.nondeterminism = false,
                                          .paper_kinds = false,
                                          .adjacent_races = false,
                                          .unordered_races = false,
                                          .deadlocks = false});
  if (!oracle.complete) return;
  const Derived derived(trace);
  const Facts facts(trace, derived);
  std::set<BrokenScope> broken;
  Atomicity(facts, {}).ask_all(locked_scopes(facts), [&](const AtomicityAnswer& answer) {
    if (is_shown(trace, answer.shown)) broken.insert(answer.scope);
  });
  RC_ASSERT(broken == keys(oracle.atomicity));
}

void compare_atomicity_in_windows(const Trace& trace) {
  const Oracle oracle = enumerate(trace, {.nondeterminism = false,
                                          .paper_kinds = false,
                                          .adjacent_races = false,
                                          .unordered_races = false,
                                          .deadlocks = false});
  if (!oracle.complete) return;
  const Derived derived(trace);
  const Facts facts(trace, derived);
  Answers<BrokenScope> broken;
  Atomicity(facts, {.budget = kTinyWindows})
      .ask_all(locked_scopes(facts), [&](const AtomicityAnswer& answer) {
        broken.add(trace, answer.scope, answer.shown);
      });
  broken.compare(keys(oracle.atomicity));
}

bool breaks_scope(EventKind first, EventKind remote, EventKind second) {
  const bool read_write_read = reads(first) && writes(remote) && reads(second);
  const bool write_write_read = writes(first) && writes(remote) && reads(second);
  const bool read_write_write = reads(first) && writes(remote) && writes(second);
  const bool write_read_write = writes(first) && reads(remote) && writes(second);
  return read_write_read || write_write_read || read_write_write || write_read_write;
}

// All triples of events, one by one.
std::uint64_t count_triples(const Facts& facts) {
  const Trace& trace = facts.trace();
  const Cells& cells = facts.derived().cells;
  const auto overlap = [&](EventId e, EventId f) {
    return is_access(trace.kind(e)) && is_access(trace.kind(f)) &&
           cells.overlap(trace.location(e), trace.location(f));
  };
  std::set<BrokenScope> triples;
  for (const AtomicScope& scope : locked_scopes(facts)) {
    const auto own = facts.derived().order.events_of(scope.thread);
    for (std::uint32_t j = scope.first; j < scope.last; ++j) {
      for (std::uint32_t i = scope.first; i < j; ++i) {
        for (EventId remote : trace.events()) {
          if (trace.thread(remote) == scope.thread || !overlap(own[i], own[j])) continue;
          if (!overlap(own[i], remote) || !overlap(own[j], remote)) continue;
          if (breaks_scope(trace.kind(own[i]), trace.kind(remote), trace.kind(own[j]))) {
            triples.insert({own[i], remote, own[j]});
          }
        }
      }
    }
  }
  return triples.size();
}

void compare_candidates(const Trace& trace) {
  const Derived derived(trace);
  const Facts facts(trace, derived);
  const AtomicityCounters counters =
      Atomicity(facts, {}).ask_all(locked_scopes(facts), [](const AtomicityAnswer&) {});
  RC_ASSERT(counters.candidates == count_triples(facts));
  RC_ASSERT(counters.left_out == 0u);
}

RC_GTEST_PROP(AtomicityCandidates, AreAllTriplesThatBreakAScope, ()) {
  for_some_traces(mixed_options, compare_candidates);
}

TEST(AtomicityCandidates, AreNotAskedWhereForkAndJoinKeepThemApart) {
  const Trace trace = trace_of(
      {"T1 w x", "T1 fork T2", "T2 acq L", "T2 r x", "T2 w x", "T2 rel L", "T1 join T2", "T1 w x"});
  const Derived derived(trace);
  const Facts facts(trace, derived);
  std::size_t asked = 0;
  const AtomicityCounters counters =
      Atomicity(facts, {}).ask_all(locked_scopes(facts), [&](const AtomicityAnswer&) { ++asked; });
  EXPECT_EQ(counters.candidates, 2u);
  EXPECT_EQ(asked, 0u);
}

RC_GTEST_PROP(TinyWindows, NeverSayAnythingFalseAboutAtomicity, ()) {
  for_some_traces(plain_options, compare_atomicity_in_windows);
}

RC_GTEST_PROP(AtomicityEqualsEnumeration, OnAllSortsOfTraces, ()) {
  for_some_traces(mixed_options, compare_atomicity);
}
RC_GTEST_PROP(AtomicityEqualsEnumeration, OnLocksAndConditions, ()) {
  for_some_traces(plain_options, compare_atomicity);
}

}  // namespace
}  // namespace heddle::predict
