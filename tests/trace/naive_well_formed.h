// The slow, obvious twin of WellFormed: it keeps no state but the events so far, and
// answers every question by looking back over them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "trace/event.h"
#include "trace/tables.h"

namespace heddle {

class NaiveWellFormed {
 public:
  explicit NaiveWellFormed(const Tables& tables) : tables_(&tables) {}

  // For events whose numbers are all defined.
  bool may_follow(const EventRecord& event) const;
  void append(const EventRecord& event) { events_.push_back(event); }

 private:
  template <typename Predicate>
  int count(Predicate predicate) const;
  int count(EventKind kind, std::uint32_t object) const;
  const EventRecord* last_of(ThreadId thread) const;
  bool blocked(ThreadId thread) const;
  bool thread_may(const EventRecord& event) const;
  int held(ThreadId thread, LockId lock, bool as_reader) const;
  int held_by_others(ThreadId thread, LockId lock, bool as_reader) const;
  bool lock_may(const EventRecord& event) const;
  bool reader_may(const EventRecord& event) const;
  bool may_stop_waiting(const EventRecord& event) const;
  bool may_leave(const EventRecord& event) const;
  bool was_last_arriver(std::size_t before, ThreadId thread, std::uint32_t barrier) const;
  bool once_may(const EventRecord& event) const;
  bool region_accessed(RegionId region) const;
  bool access_may(const EventRecord& event) const;
  bool overlap(LocationId a, LocationId b) const;

  const Tables* tables_;
  std::vector<EventRecord> events_;
};

}  // namespace heddle
