// C++ happens-before of one sequence of events, kept as plain sets of events.
//
// Each thread has the set of events that happen before its next one; whatever carries
// synchronisation from one thread to another (a lock, a post, the last write of an atomic)
// has the set that it hands on. docs/semantics.md lists the edges. Only the events that
// some unordered race could be about are kept in the sets.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "trace/enumerate.h"
#include "trace/reordering.h"

namespace heddle::enumeration {

class EventSet {
 public:
  void insert(EventId e);
  void insert(const EventSet& other);
  bool contains(EventId e) const;
  // The events that `mask` has too, as bytes of a key.
  void append_key(const EventSet& mask, std::string& key) const;

 private:
  std::vector<std::uint64_t> words_;
};

class SequenceHappensBefore {
 public:
  SequenceHappensBefore(const OriginalRun& run, const std::vector<EventPair>& conflicts);

  // What happens before e, if it comes next after the sequence that led to `state`.
  EventSet before(const ReorderingState& state, EventId e) const;
  void append(const ReorderingState& state, EventId e);
  // Leaves out events that no event of the future conflicts with.
  void append_key(const ReorderingState& state, std::string& key) const;

 private:
  struct Thread {
    EventSet before;             // happens before its next event
    EventSet at_release_fence;   // happened before its last release fence
    EventSet for_acquire_fence;  // handed on by what it has read relaxed
    EventSet notified;           // by the notifies since it blocked
  };
  struct Lock {
    EventSet by_writers;
    EventSet by_readers;
  };
  using Generation = std::pair<BarrierId, std::uint32_t>;

  const Trace& trace() const { return run_->trace(); }
  Generation generation(EventId e, std::uint32_t arrival) const;
  EventSet handed_on_by_memory(EventId e) const;
  EventSet handed_to_fence_or_access(EventId e) const;
  void hand_on(const ReorderingState& state, EventId e);
  void hand_on_by_memory(EventId e);
  void hand_on_by_release(LockId lock, bool as_reader, const EventSet& set);
  void hand_on_by_notify(const ReorderingState& state, EventId e);

  const OriginalRun* run_;
  const std::vector<EventPair>* conflicts_;
  EventSet in_conflict_;
  Table<ThreadId, Thread> threads_;
  Table<LockId, Lock> locks_;
  Table<PieceId, EventSet> pieces_;  // what an acquire that reads the last write gets
  Table<SemaphoreId, EventSet> semaphores_;
  Table<OnceId, EventSet> onces_;
  std::map<Generation, EventSet> arrived_;
};

}  // namespace heddle::enumeration
