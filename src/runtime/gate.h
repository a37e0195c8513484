// The gate: at most one thread runs between two visible operations.
//
// Every other thread stands before its next operation, which is known. The thread that
// holds the token comes to the gate with its next operation; if its time is up, or it
// cannot go on, the policy chooses among the threads whose operations can happen, and the
// vehicle hands the token over. So a run is a sequence, and its schedule makes it happen
// again.
//
//   pass_access   before a plain or atomic access: usually a comparison and nothing else
//   pass          before every other operation; returns when it can happen and its thread
//                 holds the token; the caller then changes the object and logs the event
//   leave, come_back   around a call that blocks in the kernel
//
// When no thread can go on, first those may that wait with a deadline (virtual time jumps
// to the earliest one), then threads outside the gate are waited for; if there are none,
// it is a deadlock.
#pragma once

#include <cstdint>

#include "runtime/event_log.h"
#include "runtime/stop_point.h"
#include "runtime/thread.h"

namespace heddle::runtime {

class Gate {
 public:
  // The calling thread becomes thread 0 and holds the token.
  void open(Thread& main_thread);

  void pass_access(Thread& self, EventKind kind, std::uint64_t address, std::uint32_t size,
                   std::uint64_t pc) {
    if (asks_before_access()) [[unlikely]]
      ask_before_access(self, kind, address, size, pc);
    if (event_log.position() >= stop_at) [[unlikely]]
      stop_before_access(address, size, pc);
  }

  bool asks_before_access() const { return event_log.budget() <= 0; }

  // False when the operation's deadline came first.
  bool pass(Thread& self, const Operation& operation);

  // The thread will not be seen between these two; it has the token again after the second.
  void leave(Thread& self);
  void come_back(Thread& self, const Operation& operation);

  // A new thread stands before its begin.
  void add(Thread& thread);
  // The thread is over; somebody else goes on.
  void finish(Thread& self);
  // Called on a new thread: waits until it is chosen.
  void wait_for_first_turn(Thread& self);
  // Another thread should go on, if one can (sched_yield).
  void yield(Thread& self);

  // The thread counts as gone, although it has not come to its end.
  void remove(Thread& thread);

  const Array<Thread*>& live() const { return live_; }
  std::uint32_t threads() const { return thread_count_; }
  Thread& thread(std::uint32_t id) { return *all_[id]; }
  Thread* thread_numbered(std::uint32_t id) { return id < thread_count_ ? all_[id] : nullptr; }
  // Whether the thread's next operation can happen now.
  bool ready(const Thread& thread);
  // Lets a thread's deadline come now.
  void time_out(Thread& thread);
  // A thread that is chosen by the policy although it cannot go on yet (replay).
  void wait_until_ready(Thread& thread);
  // A thread on another's behalf: chooses who goes on, without going on itself.
  void schedule(Thread& self);

 private:
  void ask_before_access(Thread& self, EventKind kind, std::uint64_t address, std::uint32_t size,
                         std::uint64_t pc);
  void stop_before_access(std::uint64_t address, std::uint32_t size, std::uint64_t pc);
  void ask_explored(Thread& self, EventKind kind, std::uint64_t address, std::uint32_t size,
                    std::uint64_t pc);
  void stand(Thread& self);
  Thread& choose(Thread& self);
  void collect_ready();
  Thread* earliest_deadline();
  bool poll_descriptors(int milliseconds);
  bool anybody_outside() const;
  void wait_for_arrival();
  void grant(Thread& thread);
  Thread* anybody_standing(const Thread& self);

  Array<Thread*> all_;
  Array<Thread*> live_;
  Array<Thread*> ready_;
  Array<pollfd> polled_;
  std::uint32_t thread_count_ = 0;
  const Thread* granted_ = nullptr;  // whose quantum the budget is
  std::atomic<std::uint32_t> arrivals_{0};
  std::atomic<std::uint32_t> token_free_{0};
};

extern Gate gate;

// Tells the host who waits for what, and ends the run.
[[noreturn]] void report_deadlock();
// Tells the host that the event to stop before comes next, and ends the run.
[[noreturn]] void report_stop();
// Tells the host that the schedule cannot be followed, and ends the run.
[[noreturn]] void report_divergence(std::uint32_t thread, wire::Divergence why);

// Whether the operation can happen now, its deadline aside.
bool can_happen(const Operation& operation, const Thread& thread);

}  // namespace heddle::runtime
