// What the engine has to know about a trace, in the form in which it asks for it.
//
// A thread is a chain; an event is a node (thread, index). A version is what one write leaves
// in one cell of memory; the first versions are the initial ones, one per cell. A section is
// what a thread does while it holds a lock, from taking it to giving it up: recursive locks and
// several reader holds of one thread make one section, a wait cuts it in two.
//
// `must_precede` is the heart: for every event, how many events of each other thread every
// reordering that contains the event has to contain before it. It follows from the order of
// threads, fork and join, the writes that reads saw, allocations, system calls, and from locks
// (a section that has begun before an event of another section of the same lock has ended
// before that section began). Conditions, semaphores, barriers and once-blocks add what is
// certain whoever is matched with whom.
//
// Everything is computed in one pass over the trace. Thread-safe once built.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "order/thread_lists.h"
#include "order/version_values.h"
#include "trace/clocks.h"
#include "trace/derived.h"
#include "trace/trace.h"

namespace heddle::order {

using SectionId = Index<struct SectionTag>;

struct Node {
  ThreadId thread;
  std::uint32_t index = 0;
  friend bool operator==(const Node&, const Node&) = default;
};

inline constexpr std::uint32_t kNever = 0xffffffff;

struct Section {
  ThreadId thread;
  LockId lock;
  bool reader = false;
  std::uint32_t acquire = 0;
  std::uint32_t release = kNever;  // the release or wait; kNever: held to the end
};

inline bool exclude_each_other(const Section& a, const Section& b) {
  return a.lock == b.lock && a.thread != b.thread && !(a.reader && b.reader);
}

// Which events an event needs: those that precede it in all reorderings, or those that precede
// it in a reordering that keeps the order of the trace. The second are more where conditions,
// semaphores, barriers, once-blocks or failed tries are about: everything that happened to such
// an object before the event.
enum class Needs : std::uint8_t { all, trace_order };

class Facts {
 public:
  // With `values`, a read may also see another version of the same value (docs/semantics.md).
  Facts(const Trace& trace, const Derived& derived, bool values = false);
  Facts(const Facts&) = delete;
  Facts& operator=(const Facts&) = delete;

  const Trace& trace() const { return trace_; }
  const Derived& derived() const { return derived_; }
  bool by_values() const { return values_; }

  // --- Threads ---
  std::size_t thread_count() const { return trace_.tables.threads.size(); }
  std::uint32_t length(ThreadId thread) const {
    return static_cast<std::uint32_t>(derived_.order.event_count(thread));
  }
  Node node(EventId e) const { return {trace_.thread(e), derived_.order.index_in_thread(e)}; }
  EventId event(Node node) const { return derived_.order.events_of(node.thread)[node.index]; }
  EventId fork_of(ThreadId thread) const { return fork_of_[thread]; }  // or none
  EventId alloc_of(RegionId region) const { return alloc_of_[region]; }
  EventId free_of(RegionId region) const { return free_of_[region]; }
  EventId previous_io(EventId io) const { return previous_io_.at(io); }
  bool reports_serial(BarrierId barrier) const { return reports_serial_[barrier]; }

  // --- Memory ---
  IndexRange<CellId> cells(EventId access) const {
    return derived_.cells.cells_of(location_of(access));
  }
  LocationId location_of(EventId access) const {
    return trace_.is_final_read(access) ? trace_.location_of_final_read(access)
                                        : trace_.location(access);
  }
  RegionId region_of(EventId access) const {
    return trace_.tables.locations[location_of(access)].region;
  }
  std::size_t version_count() const { return versions_.size(); }
  static VersionId initial_version(CellId cell) { return VersionId(cell.value()); }
  // The version that a write makes of a cell that it writes.
  VersionId version(EventId write, CellId cell) const {
    return VersionId(first_version_[write].value() + cell.value() -
                     (*cells(write).begin()).value());
  }
  EventId writer(VersionId version) const { return versions_[version].write; }
  CellId cell_of(VersionId version) const { return versions_[version].cell; }
  // The version that a read, or a final read, saw in a cell.
  VersionId seen(EventId read, CellId cell) const;
  // Whether it would see the same in this version, and whether no other version shows the same.
  bool sees_the_same(EventId read, CellId cell, VersionId version) const {
    return version == seen(read, cell) || (values_ && version_values_.same(read, cell, version));
  }
  bool must_see(EventId read, CellId cell) const;

  // Whether it must see its version in all of its cells.
  bool must_see_all(EventId read) const { return !values_ || !may_vary_[read]; }
  // The accesses of regions that are allocated or freed in the trace.
  const ThreadLists<RegionId>& accesses() const { return accesses_; }

  const ThreadLists<CellId>& cell_writes() const { return writes_; }  // payload: the version
  const ThreadLists<VersionId>& readers() const { return readers_; }  // those that must see it

  // --- Locks ---
  const Section& section(SectionId id) const { return sections_[id]; }
  std::size_t section_count() const { return sections_.size(); }
  const ThreadLists<LockId>& acquires() const { return acquires_; }  // payload: the section
  // The same, those of writers only.
  const ThreadLists<LockId>& writer_acquires() const { return writer_acquires_; }
  // Whether somebody tries it in vain, so that holding it can be what somebody else needs.
  bool fails(LockId lock) const { return lock_fails_[lock]; }
  bool fails(SemaphoreId semaphore) const { return semaphore_fails_[semaphore]; }
  // Calls visit with every section that the thread is in at some event of [first, last).
  template <typename Visit>
  void for_each_section(ThreadId thread, std::uint32_t first, std::uint32_t last,
                        Visit visit) const;
  // Calls visit with every section that the thread is in when it has done `count` events.
  template <typename Visit>
  void for_each_held(ThreadId thread, std::uint32_t count, Visit visit) const;

  // --- Conditions ---
  struct Wake {
    std::uint32_t index;
    std::uint32_t wait;  // the index of the wait that it ends
    ConditionId condition;
  };
  std::span<const Wake> wakes(ThreadId thread) const { return wakes_[thread]; }
  const ThreadLists<ConditionId>& notifies() const { return notifies_; }

  // --- What must come before ---
  // How many events of `other` every reordering with e has before it; of its own thread all.
  std::uint32_t must_precede(EventId e, ThreadId other) const {
    if (other == trace_.thread(e)) return derived_.order.index_in_thread(e);
    if (!dense_.empty()) return dense_[e.value() * thread_count() + other.value()];
    return clocks_.component(clock_[e], other);
  }
  // The same for e as the event in question, whose outcome is free; of a final read all.
  std::uint32_t must_precede_question(EventId e, ThreadId other) const;
  // Whether the event has to learn something that the one before it in its thread need not.
  bool learns(EventId e) const { return learns_[e]; }
  // Raises the counts to what a reordering has to contain that contains e.
  void add_needs(EventId e, std::vector<std::uint32_t>& counts, Needs needs = Needs::all) const;
  // The same for e as the event in question: what must come before it whatever it sees.
  void add_needs_of_question(EventId e, std::vector<std::uint32_t>& counts,
                             Needs needs = Needs::all) const;
  // The first of the thread's events that needs more than `count` events of `other`; its length
  // when none does.
  std::uint32_t first_that_needs(ThreadId thread, ThreadId other, std::uint32_t count) const;

 private:
  class Builder;
  // Events that come before e whatever it sees, and with what they need are all that do.
  template <typename Visit>
  void for_each_need_of_question(EventId e, Visit visit) const;
  struct Version {
    EventId write;
    CellId cell;
  };

  const Trace& trace_;
  const Derived& derived_;
  bool values_;

  Table<ThreadId, EventId> fork_of_;
  Table<RegionId, EventId> alloc_of_;
  Table<RegionId, EventId> free_of_;
  Table<BarrierId, bool> reports_serial_;
  struct PreviousIo {
    std::vector<std::pair<EventId, EventId>> pairs;  // sorted by the first
    EventId at(EventId e) const;
  } previous_io_;

  Table<VersionId, Version> versions_;
  Table<EventId, VersionId> first_version_;
  ThreadLists<CellId> writes_;
  ThreadLists<VersionId> readers_;
  VersionValues version_values_;
  Table<EventId, bool> may_vary_;  // by value: it may see several versions in some cell
  ThreadLists<RegionId> accesses_;

  Table<SectionId, Section> sections_;
  Table<ThreadId, std::vector<SectionId>> sections_of_;  // in the order of their acquires
  Table<LockId, bool> lock_fails_;
  Table<SemaphoreId, bool> semaphore_fails_;
  ThreadLists<LockId> acquires_;
  ThreadLists<LockId> writer_acquires_;

  Table<ThreadId, std::vector<Wake>> wakes_;
  ThreadLists<ConditionId> notifies_;

  Clocks clocks_;
  Table<EventId, ClockId> clock_;
  Table<EventId, ClockId> trace_order_clock_;  // empty: the same as clock_
  Table<EventId, bool> learns_;
  std::vector<std::uint32_t> dense_;  // the same as rows, while the trace is small
};

template <typename Visit>
void Facts::for_each_held(ThreadId thread, std::uint32_t count, Visit visit) const {
  if (count == 0) return;
  // The locks that were held at the last event, without those that it gave up.
  const EventId last = event({thread, count - 1});
  for (ScopeId scope : derived_.scopes.held(last)) {
    const EventId acquire = derived_.scopes.acquire(scope);
    const auto items = acquires_.items(trace_.lock(acquire), thread);
    const auto* item = last_below(items, count);
    const SectionId section(item->payload);
    if (sections_[section].release >= count) visit(section);
  }
}

template <typename Visit>
void Facts::for_each_section(ThreadId thread, std::uint32_t first, std::uint32_t last,
                             Visit visit) const {
  if (first >= last) return;
  for_each_held(thread, first, visit);
  const std::vector<SectionId>& all = sections_of_[thread];
  auto next = std::lower_bound(all.begin(), all.end(), first, [&](SectionId s, std::uint32_t i) {
    return sections_[s].acquire < i;
  });
  for (; next != all.end() && sections_[*next].acquire < last; ++next) visit(*next);
}

}  // namespace heddle::order
