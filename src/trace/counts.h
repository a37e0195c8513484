// How large a trace is, in the terms of the NDET paper's Table A1: threads, events, lock
// events and locks, accesses and variables, wait and notify events; and how many of
// the variables are shared.
//
// Fed event by event, so a file of any length can be counted while it streams past.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "trace/event.h"

namespace heddle {

class TraceCounts {
 public:
  void add(const EventRecord& event);

  std::size_t events() const { return events_; }
  std::size_t of(EventKind kind) const { return by_kind_[static_cast<std::size_t>(kind)]; }
  // Threads that did something, or were forked or joined.
  std::size_t threads() const { return threads_; }
  // Acquires and releases of every kind, and tries that failed.
  std::size_t lock_events() const;
  std::size_t locks() const { return locks_; }
  std::size_t accesses() const;
  std::size_t variables() const { return variables_; }
  // Variables that two threads or more access.
  std::size_t shared_variables() const { return shared_variables_; }
  // Waits, notifies and notify-alls; how a wait ended is not counted again.
  std::size_t wait_notify_events() const;

 private:
  void add_thread(ThreadId thread);
  void add_lock(LockId lock);
  void add_access(LocationId location, ThreadId thread);

  static constexpr std::uint32_t kNobody = 0xffffffff;
  static constexpr std::uint32_t kShared = 0xfffffffe;

  std::array<std::size_t, kEventKindCount> by_kind_{};
  std::size_t events_ = 0;
  std::size_t threads_ = 0;
  std::size_t locks_ = 0;
  std::size_t variables_ = 0;
  std::size_t shared_variables_ = 0;
  std::vector<bool> thread_seen_;
  std::vector<bool> lock_seen_;
  std::vector<std::uint32_t> accessed_by_;  // per location: a thread, kNobody or kShared
};

}  // namespace heddle
