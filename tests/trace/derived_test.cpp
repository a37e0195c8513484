#include "trace/derived.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/trace/naive.h"
#include "trace/generate.h"

namespace heddle {
namespace {

Trace arbitrary_trace() {
  GenerateOptions options;
  options.events = *rc::gen::inRange<std::size_t>(0, 120);
  options.threads = *rc::gen::inRange(1u, 12u);
  options.locations = *rc::gen::inRange(1u, 5u);
  options.locks = *rc::gen::inRange(1u, 4u);
  // Leaving types out at random gives the others more room.
  options.conditions = *rc::gen::inRange(0u, 2u);
  options.semaphores = *rc::gen::inRange(0u, 2u);
  options.barriers = *rc::gen::inRange(0u, 2u);
  options.onces = *rc::gen::inRange(0u, 2u);
  options.regions = *rc::gen::inRange(0u, 2u);
  options.atomics = *rc::gen::arbitrary<bool>();
  options.mixed_sizes = *rc::gen::arbitrary<bool>();
  options.nested_only = *rc::gen::arbitrary<bool>();
  options.begin_end = *rc::gen::arbitrary<bool>();
  return generate_trace(options, *rc::gen::arbitrary<std::uint64_t>());
}

RC_GTEST_PROP(ThreadOrder, NumbersEachThreadsEvents, ()) {
  const Trace trace = arbitrary_trace();
  const ThreadOrder order(trace);
  std::size_t total = 0;
  for (ThreadId thread : indices(trace.tables.threads)) {
    std::uint32_t index = 0;
    for (EventId e : order.events_of(thread)) {
      RC_ASSERT(trace.thread(e) == thread);
      RC_ASSERT(order.index_in_thread(e) == index++);
      RC_ASSERT(order.thread_of(order.stretch(e)) == thread);
    }
    total += index;
  }
  RC_ASSERT(total == trace.size());
}

RC_GTEST_PROP(ThreadOrder, StretchesEndWhereThreadsSynchronise, ()) {
  const Trace trace = arbitrary_trace();
  const ThreadOrder order(trace);
  for (ThreadId thread : indices(trace.tables.threads)) {
    EventId last = EventId::none();
    for (EventId e : order.events_of(thread)) {
      const bool begins = !last.valid() || learns_from_others(trace.kind(e), trace.order(e)) ||
                          teaches_others(trace.kind(last), trace.order(last));
      const std::uint32_t before =
          last.valid() ? order.stretch(last).value() : order.first_stretch(thread).value() - 1;
      RC_ASSERT(order.stretch(e).value() == before + (begins ? 1 : 0));
      last = e;
    }
  }
}

RC_GTEST_PROP(Cells, OverlapWhereLocationsShareAByte, ()) {
  const Trace trace = arbitrary_trace();
  const Cells cells(trace.tables);
  for (LocationId a : indices(trace.tables.locations)) {
    for (LocationId b : indices(trace.tables.locations)) {
      const auto bytes_a = naive::bytes_of(trace, a);
      const auto bytes_b = naive::bytes_of(trace, b);
      const bool share = std::any_of(bytes_a.begin(), bytes_a.end(), [&](const auto& byte) {
        return std::find(bytes_b.begin(), bytes_b.end(), byte) != bytes_b.end();
      });
      RC_ASSERT(cells.overlap(a, b) == share);
    }
  }
}

RC_GTEST_PROP(ReadsFrom, IsTheLastWriteOfEachByte, ()) {
  const Trace trace = arbitrary_trace();
  const Cells cells(trace.tables);
  const ReadsFrom reads_from(trace, cells);
  for (EventId e : trace.events()) {
    if (!reads(trace.kind(e))) continue;
    std::set<EventId> expected;
    for (const auto& [byte, write] : naive::seen_writes(trace, e)) expected.insert(write);
    std::set<EventId> seen(reads_from.parts(e).begin(), reads_from.parts(e).end());
    if (reads_from[e].valid()) {
      RC_ASSERT(seen.empty());
      seen.insert(reads_from[e]);
    }
    RC_ASSERT(seen == expected);
  }
}

RC_GTEST_PROP(Scopes, HoldWhatWasAcquiredAndNotReleased, ()) {
  const Trace trace = arbitrary_trace();
  const ThreadOrder order(trace);
  const Scopes scopes(trace, order);
  for (EventId e : trace.events()) {
    std::vector<EventId> held;
    for (ScopeId scope : scopes.held(e)) held.push_back(scopes.acquire(scope));
    std::reverse(held.begin(), held.end());
    RC_ASSERT(held == naive::held(trace, e));
  }
}

RC_GTEST_PROP(Scopes, OpenAndCloseWithTheirEvents, ()) {
  const Trace trace = arbitrary_trace();
  const ThreadOrder order(trace);
  const Scopes scopes(trace, order);
  std::size_t opened = 0;
  for (EventId e : trace.events()) {
    const EventKind kind = trace.kind(e);
    if (kind == EventKind::acquire || kind == EventKind::reader_acquire) {
      const ScopeId scope = scopes.opened_by(e);
      RC_ASSERT(scopes.acquire(scope) == e);
      RC_ASSERT(scope.value() == opened++);
      if (scopes.parent(scope).valid()) {
        const ScopeId parent = scopes.parent(scope);
        RC_ASSERT(trace.thread(scopes.acquire(parent)) == trace.thread(e));
        RC_ASSERT(scopes.acquire(parent) < e);
        RC_ASSERT(!scopes.release(parent).valid() || scopes.release(parent) > e);
      }
    }
    if (kind == EventKind::release || kind == EventKind::reader_release ||
        kind == EventKind::wait) {
      RC_ASSERT(scopes.release(scopes.closed_by(e)) == e);
    }
  }
  RC_ASSERT(scopes.size() == opened);
}

RC_GTEST_PROP(ObjectEvents, ListEveryEventWithItsObject, ()) {
  const Trace trace = arbitrary_trace();
  const ObjectEvents objects(trace);
  for (std::size_t i = 1; i < kObjectTypeCount; ++i) {
    const auto type = static_cast<ObjectType>(i);
    for (std::uint32_t object = 0; object < trace.tables.object_count(type); ++object) {
      std::vector<EventId> expected;
      for (EventId e : trace.events()) {
        const bool about = object_type(trace.kind(e)) == type && trace.object(e) == object;
        const bool gives_up = type == ObjectType::lock && trace.kind(e) == EventKind::wait &&
                              trace.lock_of_wait(e) == LockId(object);
        if (about || gives_up) expected.push_back(e);
      }
      const auto listed = objects.of(type, object);
      RC_ASSERT(std::vector<EventId>(listed.begin(), listed.end()) == expected);
    }
  }
}

RC_GTEST_PROP(HappensBefore, EqualsTheClosureOfItsEdges, ()) {
  const Trace trace = arbitrary_trace();
  const Derived derived(trace);
  const auto before = naive::happens_before(trace);
  for (EventId b : trace.events()) {
    for (EventId a : trace.events()) {
      RC_ASSERT(derived.happens_before(a, b) == before[b.value()][a.value()]);
    }
    for (ThreadId thread : indices(trace.tables.threads)) {
      const auto events = derived.order.events_of(thread);
      const auto known = std::count_if(events.begin(), events.end(),
                                       [&](EventId a) { return before[b.value()][a.value()]; });
      RC_ASSERT(derived.happens_before.events_before(b, thread) == known);
    }
  }
}

TEST(Clocks, ShareTheChunksOfThreadsThatAreGone) {
  constexpr std::uint32_t kThreads = 10'000;
  Clocks clocks(kThreads);
  ClockId clock = Clocks::zero();
  for (std::uint32_t i = 0; i < kThreads; ++i) clock = clocks.with(clock, ThreadId(i), i + 1);
  for (std::uint32_t i = 0; i < kThreads; ++i) {
    ASSERT_EQ(clocks.component(clock, ThreadId(i)), i + 1);
  }
  EXPECT_LT(clocks.memory_bytes(), std::size_t{kThreads} * kThreads);
}

}  // namespace
}  // namespace heddle
