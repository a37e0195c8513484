// The enumerator: known answers, agreement with its slow twin, and witnesses that hold.
#include "trace/enumerate.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/trace/enumerate_twin.h"
#include "tests/trace/trace_builder.h"
#include "trace/enumerate_candidates.h"
#include "trace/enumerate_happens_before.h"
#include "trace/generate.h"
#include "trace/reordering.h"

namespace heddle {
namespace {

using Reads = std::set<ReadOfWrite>;
using Pairs = std::set<EventPair>;
using Rings = std::set<std::set<EventId>>;
using Scopes = std::set<BrokenScope>;
using Triplets = std::set<Triplet>;

Answers answers(const Trace& trace) {
  const Oracle oracle = enumerate(trace, {.final_reads = false});
  EXPECT_TRUE(oracle.complete);
  return answers_of(oracle);
}

const Triplets& of_kind(const Answers& answers, TripletKind kind) {
  return answers.triplets[static_cast<std::size_t>(kind)];
}

EventId event(std::uint32_t number) { return EventId(number); }

// --- Nondeterminism ---

TEST(Enumerate, NdetFigure1IsRaceFreeAndNondeterministic) {
  const Trace trace =
      trace_of({"T1 acq L", "T1 w x", "T1 rel L", "T2 acq L", "T2 r x", "T2 rel L"});
  const Answers found = answers(trace);
  EXPECT_EQ(found.nondeterminism, (Reads{{event(4), kInitialWrite}}));
  EXPECT_TRUE(found.adjacent_races.empty());
  EXPECT_TRUE(found.unordered_races.empty());
}

// The cycle of the paper's Figure 5: reading x before T1 writes it needs T2's scope first, and
// that scope reads y, which T1's scope wrote. Then r(y) would see another write, so the read
// of x that follows it cannot be reached.
TEST(Enumerate, NdetFigure5ReadIsInfeasibleBecauseAnEarlierReadWouldChange) {
  const Trace trace = trace_of({"T1 w x", "T1 acq L", "T1 w y", "T1 rel L", "T2 acq L", "T2 r y",
                                "T2 rel L", "T2 r x", "T3 w x"});
  const Answers found = answers(trace);
  EXPECT_FALSE(found.nondeterminism.contains({event(7), kInitialWrite}));
  EXPECT_TRUE(found.nondeterminism.contains({event(7), event(8)}));
  EXPECT_TRUE(found.nondeterminism.contains({event(5), kInitialWrite}));
}

TEST(Enumerate, FinalReadsAreReachedByCompleteReorderingsOnly) {
  const Trace trace = trace_of({"T1 w x", "T2 w x"});
  const EventId final_read = trace.final_read(LocationId(0));
  EXPECT_EQ(answers_of(enumerate(trace)).nondeterminism, (Reads{{final_read, event(0)}}));
  EXPECT_TRUE(answers(trace).nondeterminism.empty());
}

TEST(Enumerate, WhatWasFreedHasNoFinalRead) {
  const Trace trace = trace_of({"location x P 0 4", "T1 w x", "T2 w x", "T1 join T2", "T1 free P"});
  EXPECT_TRUE(answers_of(enumerate(trace)).nondeterminism.empty());
}

TEST(Enumerate, ARangeReadMaySeeAWriteThatItSawInAnotherByte) {
  const Trace trace =
      trace_of({"location both P 0 2", "location low P 0 1", "T1 w both", "T2 w low", "T3 r both"});
  EXPECT_EQ(answers(trace).nondeterminism,
            (Reads{{event(2), event(0)}, {event(2), kInitialWrite}}));
}

TEST(Enumerate, ByValueAReadMayBePassedOverToReachAnother) {
  const Trace trace = trace_of({"T1 w x =1", "T2 w x =1", "T3 r x =1", "T3 r y =0", "T1 w y =1"});
  const ReadOfWrite early{event(3), event(4)};
  const Trace ordered = trace_of({"T1 w y =1", "T1 w x =1", "T2 r x =1", "T2 r y =1", "T3 w x =1"});
  const ReadOfWrite missed{event(3), kInitialWrite};
  EXPECT_TRUE(answers(trace).nondeterminism.contains(early));
  EXPECT_FALSE(answers_of(enumerate(ordered)).nondeterminism.contains(missed));
  EXPECT_TRUE(answers_of(enumerate(ordered, {.values = true})).nondeterminism.contains(missed));
}

TEST(Enumerate, TellsThePapersThreeKindsApart) {
  const Trace trace = trace_of({"T1 w x", "T2 r x", "T3 w x"});
  const Triplet triplet{event(0), event(1), event(2)};
  const Triplet initial{event(0), event(1), kInitialWrite};
  const Answers found = answers(trace);
  EXPECT_EQ(of_kind(found, TripletKind::read_before_writer), (Triplets{triplet, initial}));
  EXPECT_EQ(of_kind(found, TripletKind::challenger_between), (Triplets{triplet}));
  EXPECT_EQ(of_kind(found, TripletKind::without_writer), (Triplets{triplet, initial}));
}

// r may come before w, but w never after it: w waits for the lock that r's thread keeps.
TEST(Enumerate, TheThirdKindDoesNotImplyTheFirst) {
  const Trace trace = trace_of({"T1 acq L", "T1 w x", "T1 rel L", "T2 acq L", "T2 r x"});
  const Triplet triplet{event(1), event(4), kInitialWrite};
  const Answers found = answers(trace);
  EXPECT_TRUE(of_kind(found, TripletKind::without_writer).contains(triplet));
  EXPECT_FALSE(of_kind(found, TripletKind::read_before_writer).contains(triplet));
}

// --- Races ---

TEST(Enumerate, FindsTheRaceThatALuckyLockOrderHid) {
  const Trace trace =
      trace_of({"T1 w x", "T1 acq L", "T1 rel L", "T2 acq L", "T2 rel L", "T2 w x"});
  const Answers found = answers(trace);
  EXPECT_EQ(found.adjacent_races, (Pairs{{event(0), event(5)}}));
  EXPECT_EQ(found.unordered_races, (Pairs{{event(0), event(5)}}));
}

// Before event 7 both threads have gone as far as they can, whichever took the lock first; only
// happens-before tells the two ways apart.
TEST(Enumerate, FindsTheRaceWhereOnlyTheOrderOfTheLockMatters) {
  const Trace trace = trace_of({"T1 w x", "T1 acq L", "T1 rel L", "T1 aw y relaxed", "T2 acq L",
                                "T2 rel L", "T2 ar y relaxed", "T2 w x"});
  EXPECT_EQ(answers(trace).unordered_races, (Pairs{{event(0), event(7)}}));
  EXPECT_TRUE(answers(trace).adjacent_races.empty());
}

TEST(Enumerate, UnorderedButNeverAdjacentBehindARacyRead) {
  const Trace trace = trace_of({"T1 w x", "T1 w y", "T2 r y", "T2 w x"});
  const Answers found = answers(trace);
  EXPECT_EQ(found.adjacent_races, (Pairs{{event(1), event(2)}}));
  EXPECT_EQ(found.unordered_races, (Pairs{{event(1), event(2)}, {event(0), event(3)}}));
}

TEST(Enumerate, AtomicsDoNotRaceWithEachOther) {
  const Trace trace = trace_of({"T1 aw x relaxed", "T2 ar x relaxed", "T3 r x"});
  EXPECT_EQ(answers(trace).adjacent_races, (Pairs{{event(0), event(2)}}));
}

TEST(Enumerate, ReleaseAndAcquireOrderWhatStandsBehindThem) {
  const Trace ordered = trace_of({"T1 w x", "T1 aw y release", "T2 ar y acquire", "T2 r x"});
  EXPECT_TRUE(answers(ordered).unordered_races.empty());
  const Trace relaxed = trace_of({"T1 w x", "T1 aw y relaxed", "T2 ar y acquire", "T2 r x"});
  EXPECT_EQ(answers(relaxed).unordered_races, (Pairs{{event(0), event(3)}}));
  EXPECT_TRUE(answers(relaxed).adjacent_races.empty());
}

TEST(Enumerate, FencesOrderWhatStandsBehindThem) {
  const Trace trace = trace_of({"T1 w x", "T1 fence release", "T1 aw y relaxed", "T2 ar y relaxed",
                                "T2 fence acquire", "T2 r x"});
  EXPECT_TRUE(answers(trace).unordered_races.empty());
}

TEST(Enumerate, AReleaseSequenceGoesOnThroughReadModifyWritesOnly) {
  const Trace through =
      trace_of({"T1 w x", "T1 aw y release", "T3 rmw y relaxed", "T2 ar y acquire", "T2 r x"});
  EXPECT_TRUE(answers(through).unordered_races.empty());
  const Trace broken =
      trace_of({"T1 w x", "T1 aw y release", "T1 aw y relaxed", "T2 ar y acquire", "T2 r x"});
  EXPECT_EQ(answers(broken).unordered_races, (Pairs{{event(0), event(4)}}));
}

TEST(Enumerate, WhatAReaderReleasesIsOrderedBeforeWritersOnly) {
  const Trace readers = trace_of({"lock L readers-writer", "T1 racq L", "T1 w x", "T1 rrel L",
                                  "T2 racq L", "T2 w x", "T2 rrel L"});
  EXPECT_EQ(answers(readers).adjacent_races, (Pairs{{event(1), event(4)}}));
  const Trace writer = trace_of({"lock L readers-writer", "T1 racq L", "T1 w x", "T1 rrel L",
                                 "T2 acq L", "T2 w x", "T2 rel L"});
  EXPECT_TRUE(answers(writer).unordered_races.empty());
}

TEST(Enumerate, PostNotifyBarrierAndOnceOrder) {
  EXPECT_TRUE(
      answers(trace_of({"T1 w x", "T1 post S", "T2 semwait S", "T2 r x"})).unordered_races.empty());
  EXPECT_TRUE(answers(trace_of({"T2 wait c", "T1 w x", "T1 notify c", "T2 wake c", "T2 r x"}))
                  .unordered_races.empty());
  EXPECT_TRUE(answers(trace_of({"barrier B 2", "T1 w x", "T1 arrive B", "T2 arrive B", "T1 leave B",
                                "T2 leave B", "T2 r x"}))
                  .unordered_races.empty());
  EXPECT_TRUE(
      answers(trace_of({"T1 oncebegin O", "T1 w x", "T1 onceend O", "T2 oncepass O", "T2 r x"}))
          .unordered_races.empty());
}

TEST(Enumerate, FreeRacesWithAnAccess) {
  const Trace trace =
      trace_of({"location x P 0 4", "T1 alloc P", "T1 fork T2", "T2 r x", "T1 free P"});
  const Answers found = answers(trace);
  EXPECT_EQ(found.adjacent_races, (Pairs{{event(2), event(3)}}));
  EXPECT_EQ(found.unordered_races, (Pairs{{event(2), event(3)}}));
}

// Where both come next, the read sees another write than in the trace, so it cannot stand
// before the free; and after the free its life is over. To see its own write it needs T1,
// which takes the first post; then T3 has to wait for the second.
TEST(Enumerate, AnAdjacentRaceWithFreeNeedNotBeAnUnorderedOne) {
  const Trace trace = trace_of({"location x P 0 4", "T4 post S", "T1 semwait S", "T1 w x", "T2 r x",
                                "T2 post S", "T3 semwait S", "T3 free P"});
  const Answers found = answers(trace);
  EXPECT_TRUE(found.adjacent_races.contains({event(3), event(6)}));
  EXPECT_FALSE(found.unordered_races.contains({event(3), event(6)}));
}

// The same with a read-modify-write: where both come next, both see another write.
TEST(Enumerate, AnAdjacentRaceWithAReadModifyWriteNeedNotBeAnUnorderedOne) {
  const Trace trace = trace_of({"T4 post S", "T1 semwait S", "T1 w x", "T2 r x", "T2 post S",
                                "T3 semwait S", "T3 rmw x relaxed"});
  const Answers found = answers(trace);
  EXPECT_TRUE(found.adjacent_races.contains({event(3), event(6)}));
  EXPECT_FALSE(found.unordered_races.contains({event(3), event(6)}));
}

// --- Deadlocks ---

TEST(Enumerate, FindsARingOfTwoLocks) {
  const Trace trace = trace_of({"T1 acq A", "T1 acq B", "T1 rel B", "T1 rel A", "T2 acq B",
                                "T2 acq A", "T2 rel A", "T2 rel B"});
  EXPECT_EQ(answers(trace).deadlocks, (Rings{{event(1), event(5)}}));
}

TEST(Enumerate, ACommonLockGuardsAgainstTheRing) {
  const Trace trace =
      trace_of({"T1 acq G", "T1 acq A", "T1 acq B", "T1 rel B", "T1 rel A", "T1 rel G", "T2 acq G",
                "T2 acq B", "T2 acq A", "T2 rel A", "T2 rel B", "T2 rel G"});
  EXPECT_TRUE(answers(trace).deadlocks.empty());
}

TEST(Enumerate, ATryDoesNotWaitInARing) {
  const Trace trace = trace_of({"T1 acq A", "T1 acq B tried", "T1 rel B", "T1 rel A", "T2 acq B",
                                "T2 acq A", "T2 rel A", "T2 rel B"});
  EXPECT_TRUE(answers(trace).deadlocks.empty());
}

TEST(Enumerate, FindsARingOfThreePhilosophers) {
  const Trace trace =
      trace_of({"T1 acq A", "T1 acq B", "T1 rel B", "T1 rel A", "T2 acq B", "T2 acq C", "T2 rel C",
                "T2 rel B", "T3 acq C", "T3 acq A", "T3 rel A", "T3 rel C"});
  EXPECT_EQ(answers(trace).deadlocks, (Rings{{event(1), event(5), event(9)}}));
}

TEST(Enumerate, ReadersWaitForWritersInARing) {
  const Trace trace =
      trace_of({"lock A readers-writer", "lock B readers-writer", "T1 racq A", "T1 acq B",
                "T1 rel B", "T1 rrel A", "T2 racq B", "T2 acq A", "T2 rel A", "T2 rrel B"});
  EXPECT_EQ(answers(trace).deadlocks, (Rings{{event(1), event(5)}}));
  const Trace readers =
      trace_of({"lock A readers-writer", "lock B readers-writer", "T1 racq A", "T1 racq B",
                "T1 rrel B", "T1 rrel A", "T2 racq B", "T2 racq A", "T2 rrel A", "T2 rrel B"});
  EXPECT_TRUE(answers(readers).deadlocks.empty());
}

// --- Atomicity ---

TEST(Enumerate, FindsARemoteWriteBetweenTwoReadsOfAScope) {
  const Trace trace = trace_of({"T1 acq L", "T1 r x", "T1 r x", "T1 rel L", "T2 w x"});
  EXPECT_EQ(answers(trace).atomicity, (Scopes{{event(1), event(4), event(2)}}));
}

TEST(Enumerate, FindsARemoteReadBetweenTwoWritesOfAScope) {
  const Trace trace = trace_of({"T1 acq L", "T1 w x", "T1 w x", "T1 rel L", "T2 r x"});
  EXPECT_EQ(answers(trace).atomicity, (Scopes{{event(1), event(4), event(2)}}));
}

TEST(Enumerate, TheSameLockKeepsTheScopeWhole) {
  const Trace trace =
      trace_of({"T1 acq L", "T1 r x", "T1 w x", "T1 rel L", "T2 acq L", "T2 w x", "T2 rel L"});
  EXPECT_TRUE(answers(trace).atomicity.empty());
}

TEST(Enumerate, AWaitSplitsTheScope) {
  const Trace trace = trace_of({"T1 acq L", "T1 r x", "T1 wait c L", "T2 w x", "T2 notify c",
                                "T1 wake c", "T1 acq L", "T1 r x", "T1 rel L"});
  EXPECT_TRUE(answers(trace).atomicity.empty());
}

// --- Giving up ---

TEST(Enumerate, SaysWhenItGivesUp) {
  const Trace trace = generate_trace({.events = 40, .threads = 4}, 1);
  const Oracle oracle = enumerate(trace, {.max_states = 50});
  EXPECT_FALSE(oracle.complete);
  EXPECT_EQ(oracle.states, 50u);
}

// --- Properties ---

// Few threads and objects, so that the threads meet.
GenerateOptions small_options(std::size_t events) {
  GenerateOptions options;
  options.events = events;
  options.threads = *rc::gen::inRange<std::uint32_t>(2, 5);
  options.locations = *rc::gen::inRange<std::uint32_t>(1, 3);
  options.locks = *rc::gen::inRange<std::uint32_t>(1, 3);
  options.fork_join = *rc::gen::arbitrary<bool>();
  options.begin_end = false;
  options.values = *rc::gen::arbitrary<bool>();
  options.mixed_sizes = *rc::gen::arbitrary<bool>();
  return options;
}

// Threads that run from the start and do nothing but the one thing that is switched on.
GenerateOptions tiny_options() {
  GenerateOptions options = lock_only_options();
  options.events = *rc::gen::inRange<std::size_t>(5, 8);
  options.threads = *rc::gen::inRange<std::uint32_t>(2, 4);
  options.locations = 1;
  options.fork_join = false;
  return options;
}

void compare_with_twin(const GenerateOptions& options, bool values = false) {
  const Trace trace = generate_trace(options, *rc::gen::arbitrary<std::uint64_t>());
  RC_PRE(trace.size() <= 7u);
  RC_ASSERT(answers_of(enumerate(trace, {.values = values})) == twin_answers(trace, values));
}

RC_GTEST_PROP(EnumerateAgreesWithItsTwin, OnAllSortsOfTraces, (bool values)) {
  compare_with_twin(small_options(6), values);
}

RC_GTEST_PROP(EnumerateAgreesWithItsTwin, OnLocks, ()) {
  GenerateOptions options = tiny_options();
  options.lock_kinds = *rc::gen::arbitrary<bool>();
  compare_with_twin(options);
}

RC_GTEST_PROP(EnumerateAgreesWithItsTwin, OnAtomics, ()) {
  GenerateOptions options = tiny_options();
  options.locks = 0;
  options.locations = 2;
  options.atomics = true;
  compare_with_twin(options);
}

RC_GTEST_PROP(EnumerateAgreesWithItsTwin, OnConditions, ()) {
  GenerateOptions options = tiny_options();
  options.locks = 1;
  options.conditions = 1;
  options.failed_tries = true;
  compare_with_twin(options);
}

RC_GTEST_PROP(EnumerateAgreesWithItsTwin, OnSemaphoresBarriersAndOnces, ()) {
  GenerateOptions options = tiny_options();
  options.locks = 0;
  options.semaphores = options.barriers = options.onces = 1;
  options.failed_tries = true;
  compare_with_twin(options);
}

RC_GTEST_PROP(EnumerateAgreesWithItsTwin, OnRegions, ()) {
  GenerateOptions options = tiny_options();
  options.locks = 0;
  options.regions = options.descriptors = 1;
  options.fork_join = options.mixed_sizes = true;
  compare_with_twin(options);
}

using SequenceOrder = enumeration::SequenceHappensBefore;

// For each conflict of which one event has happened and the other can come next: ordered?
std::vector<bool> orders(const std::vector<EventPair>& conflicts, const ReorderingState& state,
                         const SequenceOrder& order) {
  std::vector<bool> result;
  for (const EventPair& pair : conflicts) {
    for (const auto& [e, f] : {pair, EventPair{pair.second, pair.first}}) {
      if (!state.contains(e) || state.broken_rule(f, Outcome::free)) continue;
      result.push_back(order.before(state, f).contains(e));
    }
  }
  return result;
}

// Two sequences that the walk takes for the same order the same events from then on.
RC_GTEST_PROP(Enumerate, TheKeyOfHappensBeforeTellsDifferentOrdersApart, ()) {
  const std::uint64_t seed = *rc::gen::arbitrary<std::uint64_t>();
  GenerateOptions options = small_options(12);
  options.fork_join = false;
  const Trace trace = generate_trace(options, seed);
  const OriginalRun run(trace);
  const enumeration::Candidates candidates(run, {});
  std::map<std::string, std::vector<bool>> known;
  std::mt19937_64 random(seed);
  for (int walk = 0; walk < 50; ++walk) {
    ReorderingState state(run);
    SequenceOrder order(run, candidates.conflicts);
    for (std::size_t step = 0; step < 2 * trace.size(); ++step) {
      std::string key;
      state.append_key(key);
      order.append_key(state, key);
      const std::vector<bool> ordered = orders(candidates.conflicts, state, order);
      RC_ASSERT(known.emplace(key, ordered).first->second == ordered);
      const ThreadId t(static_cast<std::uint32_t>(random() % run.thread_count()));
      const EventId e = state.next_event(t);
      if (!e.valid() || state.broken_rule(e)) continue;
      order.append(state, e);
      state.append(e);
    }
  }
}

bool holds(const Trace& trace, const Witness& witness) {
  return !check_reordering(trace, witness.sequence, {.question = witness.question});
}

template <typename Key>
void check_witnesses(const Trace& trace, const std::map<Key, Witness>& answers) {
  for (const auto& [answer, witness] : answers) RC_ASSERT(holds(trace, witness));
}

RC_GTEST_PROP(Enumerate, EveryWitnessIsAReordering, ()) {
  const Trace trace = generate_trace(small_options(14), *rc::gen::arbitrary<std::uint64_t>());
  const Oracle oracle = enumerate(trace);
  RC_ASSERT(oracle.complete);
  check_witnesses(trace, oracle.nondeterminism);
  for (const auto& triplets : oracle.triplets) check_witnesses(trace, triplets);
  check_witnesses(trace, oracle.adjacent_races);
  check_witnesses(trace, oracle.unordered_races);
  check_witnesses(trace, oracle.deadlocks);
  check_witnesses(trace, oracle.atomicity);
}

RC_GTEST_PROP(Enumerate, ThePapersFirstKindImpliesTheThird, ()) {
  const Trace trace = generate_trace(small_options(14), *rc::gen::arbitrary<std::uint64_t>());
  const Answers found = answers_of(enumerate(trace));
  const Triplets& first = of_kind(found, TripletKind::read_before_writer);
  const Triplets& third = of_kind(found, TripletKind::without_writer);
  RC_ASSERT(std::includes(third.begin(), third.end(), first.begin(), first.end()));
}

std::set<EventId> reads_of(const Triplets& triplets) {
  std::set<EventId> result;
  for (const Triplet& triplet : triplets) result.insert(triplet.read);
  return result;
}

RC_GTEST_PROP(Enumerate, AReadIsNondeterministicWhenItHasAWitnessOfAKind, ()) {
  const Trace trace = generate_trace(small_options(12), *rc::gen::arbitrary<std::uint64_t>());
  const Answers found = answers_of(enumerate(trace));
  std::set<EventId> by_writes;
  for (const ReadOfWrite& answer : found.nondeterminism) by_writes.insert(answer.read);
  std::set<EventId> by_kinds = reads_of(of_kind(found, TripletKind::without_writer));
  by_kinds.merge(reads_of(of_kind(found, TripletKind::challenger_between)));
  RC_ASSERT(by_writes == by_kinds);
}

RC_GTEST_PROP(Enumerate, ByValueThereIsNeverLess, ()) {
  GenerateOptions options = small_options(12);
  options.values = true;
  const Trace trace = generate_trace(options, *rc::gen::arbitrary<std::uint64_t>());
  const Answers by_write = answers_of(enumerate(trace));
  const Answers by_value = answers_of(enumerate(trace, {.values = true}));
  const auto includes = [](const auto& all, const auto& some) {
    return std::includes(all.begin(), all.end(), some.begin(), some.end());
  };
  RC_ASSERT(includes(by_value.nondeterminism, by_write.nondeterminism));
  RC_ASSERT(includes(by_value.adjacent_races, by_write.adjacent_races));
  RC_ASSERT(includes(by_value.unordered_races, by_write.unordered_races));
  RC_ASSERT(includes(by_value.deadlocks, by_write.deadlocks));
  RC_ASSERT(includes(by_value.atomicity, by_write.atomicity));
}

// SEMANTICS asks for this agreement. Pair by pair it does not hold (see
// UnorderedButNeverAdjacentBehindARacyRead), for the trace as a whole it does.
RC_GTEST_PROP(Enumerate, WithLocksForkAndJoinAloneTheTwoKindsOfRaceAgree, ()) {
  GenerateOptions options = lock_only_options();
  options.events = *rc::gen::inRange<std::size_t>(6, 15);
  options.threads = *rc::gen::inRange<std::uint32_t>(2, 5);
  options.locations = *rc::gen::inRange<std::uint32_t>(1, 4);
  options.fork_join = *rc::gen::arbitrary<bool>();
  const Trace trace = generate_trace(options, *rc::gen::arbitrary<std::uint64_t>());
  const Answers found = answers_of(enumerate(trace, {.paper_kinds = false, .atomicity = false}));
  RC_ASSERT(found.adjacent_races.empty() == found.unordered_races.empty());
  RC_ASSERT(std::includes(found.unordered_races.begin(), found.unordered_races.end(),
                          found.adjacent_races.begin(), found.adjacent_races.end()));
}

}  // namespace
}  // namespace heddle
