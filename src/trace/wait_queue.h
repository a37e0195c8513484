// The threads that wait on one condition, and which of them may have been notified.
//
// A trace does not say which waiter a notify picked, so every choice that fits what came
// later has to be kept. There are exponentially many, but one bit per waiter describes
// them all exactly. Keep the waiters in the order in which they came, and let the bits
// mark the choice that lies as late in that order as possible. Then a set of waiters can
// be the notified ones if and only if it has as many members as there are marks and, in
// every prefix of the order, at least as many members as marks: a notify can pick an
// earlier waiter instead of a later one, never one that came after the notify. (The
// sets are the bases of a nested matroid; a wake contracts it, a timeout deletes from it,
// so it stays one.) What happens to the marks:
//
//   notify       marks the last unmarked waiter
//   wake of t    takes the mark of t, or the next mark after t; impossible without one
//   timeout of t is free when t is unmarked; otherwise the mark moves to the last unmarked
//                waiter before t; impossible without one
//
// tests/trace/wait_queue_test.cpp compares this with the set of all choices. Each step
// is linear in the number of waiters.
#pragma once

#include <cstddef>
#include <vector>

#include "trace/event.h"

namespace heddle {

class WaitQueue {
 public:
  void wait(ThreadId thread) { waiters_.push_back({thread, false}); }
  void notify();
  void notify_all();

  // Both are about a thread in the queue; at least one of them holds.
  bool can_wake(ThreadId thread) const;
  bool can_time_out(ThreadId thread) const;
  // Take the thread out of the queue, as one that was notified or was not.
  void wake(ThreadId thread);
  void time_out(ThreadId thread);

 private:
  struct Waiter {
    ThreadId thread;
    bool marked;
  };

  std::size_t position(ThreadId thread) const;
  // The first marked waiter at or after `begin`; the number of waiters if there is none.
  std::size_t mark_from(std::size_t begin) const;
  // One more than the position of the last unmarked waiter before `end`; 0 if there is none.
  std::size_t gap_before(std::size_t end) const;
  void remove(std::size_t index);

  std::vector<Waiter> waiters_;
};

}  // namespace heddle
