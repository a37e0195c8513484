#include "runtime/gate.h"

#include <poll.h>

#include "runtime/exploration.h"
#include "runtime/futex.h"
#include "runtime/policy.h"
#include "runtime/stop_point.h"
#include "runtime/vehicle.h"
#include "runtime/virtual_time.h"

namespace heddle::runtime {

constinit Gate gate;
__thread Thread* current_thread __attribute__((tls_model("initial-exec")));
__thread std::uint16_t current_mark = kNoMark;
__thread ShadowStack* current_stack;

namespace {

constexpr std::int64_t kAlone = std::int64_t{1} << 24;

bool descriptor_ready(const Operation& operation) {
  return system_call(SYS_poll, reinterpret_cast<long>(operation.descriptors),
                     operation.descriptor_count, 0) != 0;
}

bool is_timeout(EventKind kind) {
  return kind == EventKind::timeout || kind == EventKind::failed_acquire ||
         kind == EventKind::failed_reader_acquire || kind == EventKind::failed_semaphore_wait;
}

}  // namespace

bool can_happen(const Operation& operation, const Thread& thread) {
  if (!operation.waits) return true;
  switch (operation.kind) {
    case EventKind::acquire: return operation.object->free_for(&thread);
    case EventKind::reader_acquire: return operation.object->free_for_reader();
    case EventKind::join: return operation.other->state.load() == ThreadState::finished;
    case EventKind::wake: return operation.object->waiters.can_wake(&thread);
    case EventKind::semaphore_wait: return operation.object->count > 0;
    case EventKind::barrier_leave: return operation.object->generation != operation.size;
    case EventKind::once_begin: return operation.object->once != OnceState::running;
    case EventKind::io: return operation.descriptors != nullptr && descriptor_ready(operation);
    default: return true;
  }
}

void Gate::open(Thread& main_thread) {
  ownership.begin(main_thread);
  all_.push(&main_thread);
  live_.push(&main_thread);
  thread_count_ = 1;
  event_log.set_budget(exploring ? 0 : kAlone);
}

bool Gate::ready(const Thread& thread) {
  if (thread.state.load(std::memory_order_acquire) != ThreadState::standing) return false;
  if (thread.timed_out || can_happen(thread.next, thread)) return true;
  // A sleeper is not told apart from others by anything but time.
  return thread.next.kind == EventKind::io && thread.next.deadline <= now();
}

void Gate::collect_ready() {
  ready_.clear();
  for (Thread* thread : live_) {
    if (ready(*thread)) ready_.push(thread);
  }
}

Thread* Gate::earliest_deadline() {
  Thread* earliest = nullptr;
  for (Thread* thread : live_) {
    if (thread->state.load() != ThreadState::standing || thread->next.deadline == kNever) continue;
    if (earliest == nullptr || thread->next.deadline < earliest->next.deadline) earliest = thread;
  }
  return earliest;
}

void Gate::time_out(Thread& thread) {
  if (thread.next.kind != EventKind::io) event_log.unseen(wire::Unseen::forced_timeout);
  jump_to(thread.next.deadline);
  thread.timed_out = true;
}

bool Gate::anybody_outside() const {
  for (std::size_t i = 0; i < live_.size(); ++i) {
    if (live_[i]->state.load() == ThreadState::outside) return true;
  }
  return false;
}

// Waits for descriptors of standing threads, and for threads outside; false if there is
// nothing to wait for. A descriptor waits in real time.
bool Gate::poll_descriptors(int milliseconds) {
  polled_.clear();
  for (Thread* thread : live_) {
    const bool waits = thread->state.load() == ThreadState::standing && thread->next.waits &&
                       thread->next.kind == EventKind::io;
    for (std::uint32_t i = 0; waits && i < thread->next.descriptor_count; ++i) {
      polled_.push(thread->next.descriptors[i]);
    }
  }
  if (polled_.empty()) return false;
  system_call(SYS_poll, reinterpret_cast<long>(polled_.begin()), static_cast<long>(polled_.size()),
              milliseconds);
  return true;
}

void Gate::wait_for_arrival() {
  const std::uint32_t seen = arrivals_.load();
  const bool outside = anybody_outside();
  if (poll_descriptors(outside ? 5 : 1000)) return;
  if (!outside) report_deadlock();
  for (Thread* thread : live_) {
    if (ready(*thread)) return;
  }
  const timespec patience{0, 50'000'000};
  futex_wait(&arrivals_, seen, Sharing::threads, &patience);
}

void Gate::wait_until_ready(Thread& thread) {
  if (thread.next.deadline != kNever && is_timeout(scheduled_kind())) return time_out(thread);
  for (std::uint64_t patience = 0; !ready(thread); ++patience) {
    const bool external =
        thread.state.load() == ThreadState::outside || thread.next.descriptor_count > 0;
    const bool has_deadline = thread.next.deadline != kNever;
    if (!external && !has_deadline) report_divergence(thread.id, wire::Divergence::not_ready);
    if (!external || (has_deadline && thread.next.deadline <= now() + patience * kSecond)) {
      return time_out(thread);
    }
    wait_for_arrival();
  }
}

namespace {

// Replay: the thread that the schedule names next, brought to where it can go on. None when
// the schedule ends in tries, all of which wait.
Thread* demanded_thread(const Thread& self) {
  while (schedule_has_next()) {
    Thread* thread = gate.thread_numbered(scheduled_thread());
    if (thread == nullptr) report_divergence(scheduled_thread(), wire::Divergence::unborn);
    if (thread->state.load() == ThreadState::finished) {
      report_divergence(thread->id, wire::Divergence::finished);
    }
    if (schedule_only_tries() && !gate.ready(*thread)) {
      pass_over_scheduled();
      continue;
    }
    gate.wait_until_ready(*thread);
    return thread;
  }
  stop_here(self.next.pc);
  return nullptr;
}

}  // namespace

Thread& Gate::choose(Thread& self) {
  for (;;) {
    if (schedule_has_next()) {
      if (Thread* demanded = demanded_thread(self)) return *demanded;
    }
    collect_ready();
    if (!ready_.empty()) {
      return *policy->choose(ready_, self, contains(ready_, &self));
    }
    Thread* earliest = earliest_deadline();
    const bool external = anybody_outside() || poll_descriptors(0);
    if (earliest != nullptr && !external) {
      time_out(*earliest);
      continue;
    }
    if (earliest != nullptr && earliest->next.deadline > now()) {
      // Real time passes for those outside; let virtual time follow.
      const timespec tick{0, 1'000'000};
      poll_descriptors(1);
      futex_wait(&arrivals_, arrivals_.load(), Sharing::threads, &tick);
      jump_by(1'000'000);
      continue;
    }
    wait_for_arrival();
  }
}

// A thread that goes on keeps what is left of its quantum.
void Gate::grant(Thread& thread) {
  current_yields = false;
  if (&thread == granted_ && event_log.budget() > 0) return;
  granted_ = &thread;
  event_log.set_budget(live_.size() == 1 && !schedule_has_next() ? kAlone
                                                                 : policy->quantum(thread));
}

void Gate::stand(Thread& self) {
  event_log.settle();
  event_log.end_if_seen_enough();
  if (self.no_yield > 0 && ready(self) && policy != &replay_policy) return;
  Thread& next = choose(self);
  grant(next);
  if (&next != &self) switch_thread(self, next);
}

void Gate::schedule(Thread& self) {
  Thread& next = choose(self);
  grant(next);
  give_turn(next);
}

bool Gate::pass(Thread& self, const Operation& operation) {
  if (exploring) return pass_explored(self, operation);
  self.next = operation;
  self.timed_out = false;
  if (live_.size() == 1 && !operation.waits && policy != &replay_policy) {
    event_log.settle();
    return true;
  }
  stand(self);
  stop_if_reached(operation.pc);
  self.next.waits = false;
  return !self.timed_out;
}

void Gate::ask_explored(Thread& self, EventKind kind, std::uint64_t address, std::uint32_t size,
                        std::uint64_t pc) {
  if (kind == EventKind::read || kind == EventKind::write) {
    return explored_access(kind, address, size, pc);
  }
  pass_explored_access(self, kind, address, size, pc);
}

void Gate::ask_before_access(Thread& self, EventKind kind, std::uint64_t address,
                             std::uint32_t size, std::uint64_t pc) {
  if (exploring) return ask_explored(self, kind, address, size, pc);
  event_log.beat();
  event_log.end_if_seen_enough();
  if (live_.size() == 1 && policy != &replay_policy) return event_log.set_budget(kAlone);
  self.next = Operation();
  self.next.kind = kind;
  self.next.address = address;
  self.next.size = size;
  self.next.pc = pc;
  self.timed_out = false;
  stand(self);
}

// Not before one that is left out: the event to stop before is still to come.
void Gate::stop_before_access(std::uint64_t address, std::uint32_t size, std::uint64_t pc) {
  if (event_log.counts(address, size)) stop_here(pc);
}

Thread* Gate::anybody_standing(const Thread& self) {
  for (Thread* thread : live_) {
    if (thread != &self && thread->state.load() == ThreadState::standing) return thread;
  }
  return nullptr;
}

// When nobody else stands at the gate, the token is free, and the first one who comes back
// takes it. One may have come back just before it became free: then it is taken again.
void Gate::leave(Thread& self) {
  if (exploring) return set_current_thread(nullptr);
  go_home(self);
  event_log.settle();
  event_log.unseen(wire::Unseen::outside_call);
  set_current_thread(nullptr);
  const std::uint32_t seen = arrivals_.load();
  self.state.store(ThreadState::outside);
  if (Thread* deputy = anybody_standing(self)) return give_duty(*deputy);
  token_free_.store(1);
  if (arrivals_.load() == seen) return;
  std::uint32_t is_free = 1;
  if (token_free_.compare_exchange_strong(is_free, 0)) give_duty(*anybody_standing(self));
}

void Gate::come_back(Thread& self, const Operation& operation) {
  if (exploring) return set_current_thread(&self);
  self.next = operation;
  self.timed_out = false;
  self.state.store(ThreadState::standing, std::memory_order_release);
  arrivals_.fetch_add(1);
  futex_wake(&arrivals_, 1);
  std::uint32_t is_free = 1;
  if (token_free_.compare_exchange_strong(is_free, 0)) {
    take_turn(self);
    Thread& next = choose(self);
    grant(next);
    if (&next != &self) switch_thread(self, next);
  } else {
    await_turn(self);
  }
  set_current_thread(&self);
  stop_if_reached(operation.pc);
}

void Gate::add(Thread& thread) {
  thread.id = thread_count_++;
  all_.push(&thread);
  live_.push(&thread);
  if (exploring) return add_explored(thread);
  if (live_.size() == 2 && !schedule_has_next()) event_log.set_budget(policy->quantum(thread));
}

void Gate::wait_for_first_turn(Thread& self) { await_turn(self); }

void Gate::finish(Thread& self) {
  event_log.settle();
  self.state.store(ThreadState::finished);
  remove(self);
  if (exploring) finish_explored(self);
  set_current_thread(nullptr);
  Thread& next = choose(self);
  grant(next);
  leave_to(self, next);
}

void Gate::remove(Thread& thread) {
  for (std::size_t i = 0; i < live_.size(); ++i) {
    if (live_[i] == &thread) return live_.remove_at(i);
  }
}

void Gate::yield(Thread&) {
  if (exploring) return;
  current_yields = true;
  event_log.set_budget(0);
}

}  // namespace heddle::runtime
