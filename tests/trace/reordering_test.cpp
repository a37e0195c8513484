// The rules of a reordering, one by one: what each lets pass and what it refuses.
#include "trace/reordering.h"

#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/trace/trace_builder.h"
#include "trace/generate.h"

namespace heddle {
namespace {

// "ok", or the name of the rule that is broken.
std::string verdict(const Trace& trace, std::initializer_list<std::uint32_t> sequence,
                    const ReorderingOptions& options = {}) {
  const auto violation = check_reordering(trace, events(sequence), options);
  return violation ? std::string(name_of(violation->rule)) : "ok";
}

// The same where the last event is the event in question.
std::string asked(const Trace& trace, std::initializer_list<std::uint32_t> sequence) {
  return verdict(trace, sequence, {.last_is_question = true});
}

TEST(ReorderingRules, StandAtTheirPlaceInTheTable) {
  for (std::size_t i = 0; i < kReorderingRuleCount; ++i)
    EXPECT_EQ(static_cast<std::size_t>(kReorderingRules[i].rule), i);
}

TEST(Reordering, IsMadeOfEventsOfTheTrace) {
  const Trace trace = trace_of({"T1 w x"});
  EXPECT_EQ(verdict(trace, {}), "ok");
  EXPECT_EQ(verdict(trace, {2}), "not-an-event");
  EXPECT_EQ(verdict(trace, {kInitialWrite.value()}), "not-an-event");
  EXPECT_EQ(verdict(trace, {EventId::none().value()}), "not-an-event");
}

TEST(Reordering, HasAPrefixOfEachThread) {
  const Trace trace = trace_of({"T1 w x", "T1 w y", "T2 w z"});
  EXPECT_EQ(verdict(trace, {2}), "ok");
  EXPECT_EQ(verdict(trace, {2, 0}), "ok");
  EXPECT_EQ(verdict(trace, {1}), "thread-order");
  EXPECT_EQ(verdict(trace, {0, 0}), "thread-order");
}

TEST(Reordering, KeepsForkBeforeTheChild) {
  const Trace trace = trace_of({"T1 w x", "T1 fork T2", "T2 w y"});
  EXPECT_EQ(verdict(trace, {0, 1, 2}), "ok");
  EXPECT_EQ(verdict(trace, {0, 2}), "fork");
}

TEST(Reordering, KeepsTheChildBeforeJoin) {
  const Trace trace = trace_of({"T1 fork T2", "T2 w x", "T2 w y", "T1 join T2"});
  EXPECT_EQ(verdict(trace, {0, 1, 2, 3}), "ok");
  EXPECT_EQ(verdict(trace, {0, 1, 3}), "join");
}

TEST(Reordering, JoinsAThreadThatDidNothingOnlyAfterItsFork) {
  const Trace trace = trace_of({"T1 fork T3", "T2 join T3"});
  EXPECT_EQ(verdict(trace, {0, 1}), "ok");
  EXPECT_EQ(verdict(trace, {1}), "join");
}

TEST(Reordering, ReadsSeeTheSameWrite) {
  const Trace trace = trace_of({"T1 w x", "T2 r x", "T1 w x"});
  EXPECT_EQ(verdict(trace, {0, 1, 2}), "ok");
  EXPECT_EQ(verdict(trace, {0, 2}), "ok");
  EXPECT_EQ(verdict(trace, {1}), "read");
  EXPECT_EQ(verdict(trace, {0, 2, 1}), "read");
  EXPECT_EQ(asked(trace, {1}), "ok");
  EXPECT_EQ(asked(trace, {0, 2, 1}), "ok");
}

TEST(Reordering, SaysWhatAReadSeesAndSaw) {
  const Trace trace = trace_of({"T1 w x", "T2 r x", "T1 w x"});
  const auto violation = check_reordering(trace, events({0, 2, 1}));
  ASSERT_TRUE(violation.has_value());
  EXPECT_EQ(violation->position, 2u);
  EXPECT_EQ(violation->event, EventId(1));
  EXPECT_EQ(violation->explanation,
            "event 1 (T2 r x) sees event 2 (T1 w x), in the trace it saw event 0 (T1 w x)");
}

TEST(Reordering, ReadsOfTheInitialValueComeBeforeAllWrites) {
  const Trace trace = trace_of({"T1 r x", "T2 w x"});
  EXPECT_EQ(verdict(trace, {1}), "ok");
  EXPECT_EQ(verdict(trace, {1, 0}), "read");
}

TEST(Reordering, LooksAtReadsByteByByte) {
  const Trace trace = trace_of({"location whole P 0 4", "location low P 0 2", "location high P 2 2",
                                "T1 w low", "T2 w high", "T3 r whole", "T1 w low"});
  EXPECT_EQ(verdict(trace, {1, 0, 2}), "ok");
  EXPECT_EQ(verdict(trace, {1, 2}), "read");
  EXPECT_EQ(verdict(trace, {0, 3, 1, 2}), "read");
}

TEST(Reordering, WritesOfOtherBytesDoNotDisturb) {
  const Trace trace =
      trace_of({"location middle P 2 4", "location left P 0 2", "location right P 6 2",
                "T1 w middle", "T2 r middle", "T1 w left", "T1 w right"});
  EXPECT_EQ(verdict(trace, {0, 2, 3, 1}), "ok");
}

TEST(Reordering, AReadModifyWriteIsAReadAndAWrite) {
  const Trace trace = trace_of({"T1 rmw x relaxed", "T2 rmw x relaxed", "T3 ar x relaxed"});
  EXPECT_EQ(verdict(trace, {0, 1, 2}), "ok");
  EXPECT_EQ(verdict(trace, {1}), "read");
  EXPECT_EQ(verdict(trace, {0, 2}), "read");
}

TEST(Reordering, ByValueAReadMaySeeAnotherWriteOfTheSameValue) {
  const Trace trace = trace_of({"T1 w x =5", "T2 w x =5", "T3 r x =5", "T1 w x =6"});
  const ReorderingOptions values = {.values = true};
  EXPECT_EQ(verdict(trace, {0, 2}), "read");
  EXPECT_EQ(verdict(trace, {0, 2}, values), "ok");
  EXPECT_EQ(verdict(trace, {0, 3, 2}, values), "read");
  EXPECT_EQ(verdict(trace, {2}, values), "read");
}

TEST(Reordering, ByValueTheInitialValueIsKnownFromAReadOfIt) {
  const Trace trace = trace_of({"T1 r x =0", "T2 w x =0", "T3 r x =0"});
  EXPECT_EQ(verdict(trace, {2}, {.values = true}), "ok");
  EXPECT_EQ(verdict(trace, {1, 0}, {.values = true}), "ok");
}

TEST(Reordering, ByValueAReadWithoutAValueStillSeesTheSameWrite) {
  const Trace trace = trace_of({"T1 w x =5", "T2 w x =5", "T3 r x"});
  EXPECT_EQ(verdict(trace, {0, 2}, {.values = true}), "read");
}

TEST(Reordering, ByValueComparesTheBytesThatARangeShares) {
  const Trace trace = trace_of({"location whole P 0 2", "location low P 0 1", "T1 w whole =258",
                                "T2 r low =2", "T1 w low =2", "T1 w low =3"});
  EXPECT_EQ(verdict(trace, {0, 2, 1}, {.values = true}), "ok");
  EXPECT_EQ(verdict(trace, {0, 2, 3, 1}, {.values = true}), "read");
}

TEST(Reordering, LocksHaveOneHolder) {
  const Trace trace = trace_of({"T1 acq L", "T1 rel L", "T2 acq L", "T2 rel L"});
  EXPECT_EQ(verdict(trace, {2, 3, 0, 1}), "ok");
  EXPECT_EQ(verdict(trace, {2}), "ok");
  EXPECT_EQ(verdict(trace, {0, 2}), "lock");
}

TEST(Reordering, RecursiveLocksCount) {
  const Trace trace =
      trace_of({"lock L recursive", "T1 acq L", "T1 acq L", "T1 rel L", "T1 rel L", "T2 acq L"});
  EXPECT_EQ(verdict(trace, {0, 1, 2, 3, 4}), "ok");
  EXPECT_EQ(verdict(trace, {0, 1, 2, 4}), "lock");
  EXPECT_EQ(verdict(trace, {4, 0}), "lock");
}

TEST(Reordering, ReadersOverlapAndWritersExcludeAll) {
  const Trace trace = trace_of({"lock L readers-writer", "T1 racq L", "T1 rrel L", "T2 racq L",
                                "T2 rrel L", "T3 acq L", "T3 rel L"});
  EXPECT_EQ(verdict(trace, {0, 2, 1, 3}), "ok");
  EXPECT_EQ(verdict(trace, {0, 2, 1, 4}), "lock");
  EXPECT_EQ(verdict(trace, {4, 0}), "lock");
  EXPECT_EQ(verdict(trace, {4, 5, 0, 2}), "ok");
}

TEST(Reordering, NamesTheHolderOfALock) {
  const Trace trace = trace_of({"T1 acq L", "T1 rel L", "T2 acq L"});
  EXPECT_EQ(check_reordering(trace, events({0, 2}))->explanation,
            "event 2 (T2 acq L), but T1 holds it");
}

TEST(Reordering, FailedTriesFailAgain) {
  const Trace trace = trace_of({"T1 acq L", "T2 tryfail L", "T1 rel L"});
  EXPECT_EQ(verdict(trace, {0, 1, 2}), "ok");
  EXPECT_EQ(verdict(trace, {1}), "failed-try");
  EXPECT_EQ(verdict(trace, {0, 2, 1}), "failed-try");
  EXPECT_EQ(asked(trace, {1}), "ok");
}

TEST(Reordering, ATryOfAMutexFailsForItsHolderToo) {
  const Trace trace = trace_of({"T1 acq L", "T1 tryfail L"});
  EXPECT_EQ(verdict(trace, {0, 1}), "ok");
}

TEST(Reordering, ATryOfARecursiveLockFailsForOthersOnly) {
  const Trace trace = trace_of({"lock L recursive", "T1 acq L", "T1 tryfail L"});
  EXPECT_EQ(verdict(trace, {0, 1}), "failed-try");
}

TEST(Reordering, ATryToReadFailsAgainstAWriterOnly) {
  const Trace trace = trace_of({"lock L readers-writer", "T1 racq L", "T2 tryfail L", "T1 rrel L",
                                "T1 acq L", "T2 rtryfail L"});
  EXPECT_EQ(verdict(trace, {0, 1, 2, 3, 4}), "ok");
  EXPECT_EQ(verdict(trace, {0, 1, 4}), "failed-try");
}

TEST(Reordering, AnAcquireInQuestionWaitsUnlessItWasATry) {
  const Trace trace = trace_of({"T1 acq L", "T1 rel L", "T2 acq L", "T2 rel L", "T3 acq L tried"});
  EXPECT_EQ(asked(trace, {0, 2}), "lock");
  EXPECT_EQ(asked(trace, {0, 4}), "ok");
}

TEST(Reordering, OnlyTheHolderReleases) {
  const Trace trace = trace_of({"T1 acq L", "T2 rel L"});
  EXPECT_EQ(verdict(trace, {0, 1}), "release");
}

TEST(Reordering, WaitGivesUpTheLock) {
  const Trace trace = trace_of(
      {"T1 acq L", "T1 wait c L", "T2 acq L", "T2 notify c", "T2 rel L", "T1 wake c", "T1 acq L"});
  EXPECT_EQ(verdict(trace, {0, 1, 2, 3, 4, 5, 6}), "ok");
  EXPECT_EQ(verdict(trace, {0, 1, 2, 3, 5, 4, 6}), "ok");
  EXPECT_EQ(verdict(trace, {0, 1, 2, 3, 5, 6}), "lock");
  EXPECT_EQ(verdict(trace, {0, 2}), "lock");
  EXPECT_EQ(verdict(trace, {0, 1, 5}), "wake");
}

TEST(Reordering, ANotifyWithoutAWaiterDoesNothing) {
  const Trace trace = trace_of({"T1 wait c", "T2 notify c", "T1 wake c"});
  EXPECT_EQ(verdict(trace, {0, 1, 2}), "ok");
  EXPECT_EQ(verdict(trace, {1, 0, 2}), "wake");
}

TEST(Reordering, ANotifyWakesAnyOneWaiter) {
  const Trace trace =
      trace_of({"T1 wait c", "T2 wait c", "T3 notify c", "T1 wake c", "T3 notify c", "T2 wake c"});
  EXPECT_EQ(verdict(trace, {0, 1, 2, 5}), "ok");
  EXPECT_EQ(verdict(trace, {0, 1, 2, 5, 3}), "wake");
  EXPECT_EQ(verdict(trace, {0, 1, 2, 4, 5, 3}), "ok");
  EXPECT_EQ(verdict(trace, {0, 2, 1, 5}), "wake");
}

TEST(Reordering, NotifyAllWakesThoseThatWait) {
  const Trace trace =
      trace_of({"T1 wait c", "T2 wait c", "T3 notifyall c", "T1 wake c", "T2 wake c"});
  EXPECT_EQ(verdict(trace, {0, 1, 2, 4, 3}), "ok");
  EXPECT_EQ(verdict(trace, {0, 2, 1, 3, 4}), "wake");
}

TEST(Reordering, ATimeoutMayComeAtAnyPointOfTheWait) {
  const Trace trace = trace_of({"T1 wait c", "T2 w x", "T1 timeout c"});
  EXPECT_EQ(verdict(trace, {0, 2}), "ok");
  EXPECT_EQ(verdict(trace, {1, 0, 2}), "ok");
}

TEST(Reordering, ANotifiedThreadDoesNotTimeOut) {
  const Trace trace = trace_of({"T1 wait c", "T1 timeout c", "T2 notify c"});
  EXPECT_EQ(verdict(trace, {0, 1, 2}), "ok");
  EXPECT_EQ(verdict(trace, {2, 0, 1}), "ok");
  EXPECT_EQ(verdict(trace, {0, 2, 1}), "timeout");
  EXPECT_EQ(asked(trace, {0, 2, 1}), "ok");
}

TEST(Reordering, ATimeoutAndAWakeUpRuleOutTheChoicesThatContradictThem) {
  const Trace trace =
      trace_of({"T1 wait c", "T2 wait c", "T3 notify c", "T1 timeout c", "T2 wake c"});
  EXPECT_EQ(verdict(trace, {0, 1, 2, 3, 4}), "ok");
  EXPECT_EQ(verdict(trace, {0, 1, 2, 4, 3}), "ok");
  EXPECT_EQ(verdict(trace, {0, 2, 1, 3}), "timeout");
}

TEST(Reordering, SemaphoresCount) {
  const Trace trace = trace_of({"semaphore S 1", "T1 semwait S", "T2 post S", "T3 semwait S"});
  EXPECT_EQ(verdict(trace, {2, 1, 0}), "ok");
  EXPECT_EQ(verdict(trace, {2, 0}), "semaphore");
}

TEST(Reordering, FailedSemaphoreWaitsFailAgain) {
  const Trace trace = trace_of({"T1 semfail S", "T2 post S", "T2 semwait S tried"});
  EXPECT_EQ(verdict(trace, {1, 2, 0}), "ok");
  EXPECT_EQ(verdict(trace, {1, 0}), "failed-semaphore-wait");
  EXPECT_EQ(asked(trace, {1, 0}), "ok");
}

TEST(Reordering, BarriersLetGoWhenTheLastPartyArrives) {
  const Trace trace =
      trace_of({"barrier B 2", "T1 arrive B", "T2 arrive B", "T2 leave B", "T1 leave B"});
  EXPECT_EQ(verdict(trace, {1, 0, 3, 2}), "ok");
  EXPECT_EQ(verdict(trace, {0, 3}), "barrier");
}

TEST(Reordering, ABarrierCanBeUsedAgainBeforeAllHaveLeft) {
  const Trace trace =
      trace_of({"barrier B 2", "T1 arrive B", "T2 arrive B", "T2 leave B", "T2 arrive B",
                "T1 leave B", "T1 arrive B", "T1 leave B", "T2 leave B"});
  EXPECT_EQ(verdict(trace, {0, 1, 2, 3, 4, 5, 6, 7}), "ok");
  EXPECT_EQ(verdict(trace, {0, 1, 2, 3, 7}), "barrier");
}

TEST(Reordering, TheLastToArriveIsTheSerialThread) {
  const Trace trace =
      trace_of({"barrier B 2", "T1 arrive B", "T2 arrive B", "T2 leave B serial", "T1 leave B"});
  EXPECT_EQ(verdict(trace, {0, 1, 3, 2}), "ok");
  EXPECT_EQ(verdict(trace, {1, 0, 2}), "serial");
  EXPECT_EQ(verdict(trace, {1, 0, 3}), "serial");
  EXPECT_EQ(asked(trace, {1, 0, 2}), "ok");
}

TEST(Reordering, OnceRunsOnce) {
  const Trace trace = trace_of({"T1 oncebegin O", "T1 onceend O", "T2 oncepass O"});
  EXPECT_EQ(verdict(trace, {0, 1, 2}), "ok");
  EXPECT_EQ(verdict(trace, {2}), "once");
  EXPECT_EQ(verdict(trace, {0, 2}), "once");
  EXPECT_EQ(asked(trace, {2}), "ok");
  EXPECT_EQ(asked(trace, {0, 2}), "once");
}

TEST(Reordering, AnAbortedOnceIsRunAgain) {
  const Trace trace =
      trace_of({"T1 oncebegin O", "T1 onceabort O", "T2 oncebegin O", "T2 onceend O"});
  EXPECT_EQ(verdict(trace, {0, 1, 2, 3}), "ok");
  EXPECT_EQ(verdict(trace, {0, 2}), "once");
  EXPECT_EQ(verdict(trace, {2, 3, 0}), "once");
}

TEST(Reordering, SystemCallsOnOneDescriptorKeepTheirOrder) {
  const Trace trace = trace_of({"T1 io out", "T2 io out", "T3 io log"});
  EXPECT_EQ(verdict(trace, {2, 0, 1}), "ok");
  EXPECT_EQ(verdict(trace, {1}), "io-order");
  EXPECT_EQ(asked(trace, {1}), "ok");
}

TEST(Reordering, ARegionIsUsedDuringItsLife) {
  const Trace trace = trace_of({"location x P 0 4", "T1 alloc P", "T2 w x", "T3 r x", "T1 free P"});
  EXPECT_EQ(verdict(trace, {0, 1, 2, 3}), "ok");
  EXPECT_EQ(verdict(trace, {1}), "life");
  EXPECT_EQ(verdict(trace, {0, 1, 3, 2}), "life");
  EXPECT_EQ(asked(trace, {0, 1, 3, 2}), "life");
}

TEST(Reordering, FreeComesAfterAllocToo) {
  const Trace trace = trace_of({"T1 alloc P", "T2 free P"});
  EXPECT_EQ(verdict(trace, {0, 1}), "ok");
  EXPECT_EQ(verdict(trace, {1}), "life");
}

TEST(Reordering, NothingFollowsTheExit) {
  const Trace trace = trace_of({"T1 w x", "T2 exit"});
  EXPECT_EQ(verdict(trace, {1}), "ok");
  EXPECT_EQ(verdict(trace, {1, 0}), "exit");
}

TEST(Reordering, FinalReadsComeAfterEverything) {
  const Trace trace = trace_of({"T1 w x", "T2 w x"});
  const std::uint32_t final_read = trace.final_read(LocationId(0)).value();
  EXPECT_EQ(verdict(trace, {0, 1, final_read}), "ok");
  EXPECT_EQ(verdict(trace, {0, final_read}), "final-read");
  EXPECT_EQ(verdict(trace, {1, 0, final_read}), "read");
  EXPECT_EQ(asked(trace, {1, 0, final_read}), "ok");
}

TEST(Reordering, AfterAReadInQuestionOnlyOtherThreadsGoOn) {
  const Trace trace = trace_of({"T1 w x", "T2 r x", "T2 w y"});
  const ReorderingOptions options = {.question = EventId(1)};
  EXPECT_EQ(verdict(trace, {1, 0}, options), "ok");
  EXPECT_EQ(verdict(trace, {1, 2}, options), "question");
}

TEST(Reordering, NothingFollowsAnotherEventInQuestion) {
  const Trace trace = trace_of({"T1 acq L", "T2 tryfail L", "T1 rel L"});
  EXPECT_EQ(verdict(trace, {1, 0}, {.question = EventId(1)}), "question");
}

TEST(Reordering, NobodyJoinsAThreadThatEndsWithTheEventInQuestion) {
  const Trace trace = trace_of({"T1 w x", "T2 r x", "T3 join T2"});
  EXPECT_EQ(verdict(trace, {1, 2}, {.question = EventId(1)}), "question");
}

TEST(Reordering, NobodySeesWhatAReadModifyWriteInQuestionWrites) {
  const Trace trace = trace_of({"T1 aw x relaxed", "T2 rmw x relaxed", "T3 ar x relaxed"});
  EXPECT_EQ(verdict(trace, {1, 2}, {.question = EventId(1)}), "read");
}

std::vector<EventId> all_events(const Trace& trace) {
  std::vector<EventId> result;
  for (EventId e : trace.events()) result.push_back(e);
  return result;
}

RC_GTEST_PROP(Reordering, OfATraceIsTheTraceItself, (bool mixed_sizes, bool values)) {
  GenerateOptions options;
  options.mixed_sizes = mixed_sizes;
  options.values = values;
  const Trace trace = generate_trace(options, *rc::gen::arbitrary<std::uint64_t>());
  std::vector<EventId> sequence = all_events(trace);
  for (bool by_value : {false, true}) {
    const auto violation = check_reordering(trace, sequence, {.values = by_value});
    if (violation) RC_FAIL(violation->explanation);
  }
}

// Swapping two neighbours of different threads gives a reordering or breaks a rule at one of
// the two or later; it never breaks a rule before them.
RC_GTEST_PROP(Reordering, ASwapBreaksNoRuleBeforeIt, ()) {
  const Trace trace = generate_trace({}, *rc::gen::arbitrary<std::uint64_t>());
  RC_PRE(trace.size() >= 2);
  std::vector<EventId> sequence = all_events(trace);
  const auto at = *rc::gen::inRange<std::size_t>(0, sequence.size() - 1);
  std::swap(sequence[at], sequence[at + 1]);
  const auto violation = check_reordering(trace, sequence);
  RC_ASSERT(!violation || violation->position >= at);
  if (trace.thread(EventId(static_cast<std::uint32_t>(at))) ==
      trace.thread(EventId(static_cast<std::uint32_t>(at + 1)))) {
    RC_ASSERT(violation.has_value());
    RC_ASSERT(violation->rule == ReorderingRule::thread_order);
  }
}

// A wrong sequence for every rule, as far as chance has it: grown from events that may come
// next, then one that may not.
RC_GTEST_PROP(Reordering, EveryViolationIsExplained, ()) {
  const Trace trace = generate_trace({.begin_end = false}, *rc::gen::arbitrary<std::uint64_t>());
  const OriginalRun run(trace);
  ReorderingState state(run);
  for (std::uint32_t choice : *rc::gen::arbitrary<std::vector<std::uint32_t>>()) {
    for (ThreadId t : indices(trace.tables.threads)) {
      const EventId e = state.next_event(t);
      const auto violation = e.valid() ? state.violation(e) : std::nullopt;
      if (!violation) continue;
      RC_ASSERT(violation->position == state.size());
      RC_ASSERT(violation->explanation.find(run.describe(e)) != std::string::npos);
    }
    const ThreadId t(choice % static_cast<std::uint32_t>(trace.tables.threads.size()));
    const EventId e = state.next_event(t);
    if (e.valid() && !state.broken_rule(e)) state.append(e);
  }
}

// What each thread may do next, with its outcome as it was or free.
std::vector<std::optional<ReorderingRule>> next_steps(const Trace& trace,
                                                      const ReorderingState& state) {
  std::vector<std::optional<ReorderingRule>> result;
  for (ThreadId t : indices(trace.tables.threads)) {
    const EventId e = state.next_event(t);
    if (!e.valid()) continue;
    result.push_back(state.broken_rule(e));
    result.push_back(state.broken_rule(e, Outcome::free));
  }
  return result;
}

std::string key_after(const OriginalRun& run, const std::vector<EventId>& sequence) {
  ReorderingState state(run);
  for (EventId e : sequence) state.append(e);
  std::string key;
  state.append_key(key);
  return key;
}

TEST(Reordering, WhoWasNotifiedTellsTwoStatesApart) {
  const Trace trace =
      trace_of({"T1 wait c", "T3 notify c", "T2 wait c", "T1 wake c", "T3 notify c", "T2 wake c"});
  const OriginalRun run(trace);
  const std::set<std::string> keys = {key_after(run, events({0, 1, 2})),
                                      key_after(run, events({2, 1, 0})),
                                      key_after(run, events({0, 2, 1}))};
  EXPECT_EQ(keys.size(), 3u);
}

TEST(Reordering, WhoArrivedLastTellsTwoStatesApart) {
  const Trace trace =
      trace_of({"barrier B 2", "T1 arrive B", "T2 arrive B", "T2 leave B serial", "T1 leave B"});
  const OriginalRun run(trace);
  EXPECT_NE(key_after(run, events({0, 1})), key_after(run, events({1, 0})));
}

RC_GTEST_PROP(Reordering, StatesWithTheSameKeyHaveTheSameFuture, ()) {
  const std::uint64_t seed = *rc::gen::arbitrary<std::uint64_t>();
  const Trace trace = generate_trace({.events = 12, .begin_end = false}, seed);
  const OriginalRun run(trace);
  std::map<std::string, std::vector<std::optional<ReorderingRule>>> futures;
  std::mt19937_64 random(seed);
  for (int walk = 0; walk < 30; ++walk) {
    ReorderingState state(run);
    for (std::size_t step = 0; step < 2 * trace.size(); ++step) {
      std::string key;
      state.append_key(key);
      const auto steps = next_steps(trace, state);
      RC_ASSERT(futures.emplace(key, steps).first->second == steps);
      const ThreadId t(static_cast<std::uint32_t>(random() % trace.tables.threads.size()));
      const EventId e = state.next_event(t);
      if (e.valid() && !state.broken_rule(e)) state.append(e);
    }
  }
}

}  // namespace
}  // namespace heddle
