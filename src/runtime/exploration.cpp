#include "runtime/exploration.h"

#include <cstdio>

#include <sys/single_threaded.h>

#include "runtime/exploration_state.h"
#include "runtime/gate.h"
#include "runtime/parked_threads.h"
#include "runtime/process.h"
#include "runtime/race_detector.h"
#include "runtime/snapshot.h"
#include "runtime/stop_point.h"
#include "runtime/vehicle.h"
#include "runtime/virtual_time.h"
#include "runtime/waypoint.h"

namespace heddle::runtime {

bool exploring = false;

namespace exploration {

using explored::Outcome;
using explored::Wrong;

// All of this stays when the program is put back to its start.
KEPT Fiber engine;
KEPT Fiber main_start;
KEPT wire::Header* channel;
KEPT Outcome outcome;
KEPT StepRecord step_record;
KEPT std::uint32_t note_bits;
KEPT std::uint32_t unseen_bits;
KEPT bool over;
KEPT Thread* running;

// These are put back.
Thread* leaving;
int exit_status;

namespace {

// For what a fiber has on its stack before its thread begins.
constexpr std::uint64_t kFiberPart = 256;

KEPT std::uint32_t chosen;
KEPT bool has_snapshot;
KEPT std::uint32_t threads_at_snapshot;
KEPT bool over_at_snapshot;
KEPT Outcome outcome_at_snapshot;
KEPT WatchedCells watched_at_snapshot;

std::uint32_t newborn_count;
bool somebody_ended;  // for whom others wait
std::uint32_t unjoined_count;

// Where a function returns to, a processor foretells by where it was called from last; a switch
// makes that wrong for every function on either stack. So between a switch and the loops on its
// two sides there are as few of them as can be.
[[gnu::always_inline]] inline void back_to_engine(Thread& self) {
  switch_fiber(self.fiber, engine);
}

[[gnu::always_inline]] inline void resume(Thread& thread) {
  if (step_record.ran_count < StepRecord::kMost) {
    step_record.ran[step_record.ran_count++] = thread.id;
  }
  running = &thread;
  switch_fiber(engine, thread.fiber);
  running = nullptr;
}

void fiber_main(void* argument) {
  Thread& self = *static_cast<Thread*>(argument);
  set_current_thread(&self);
  thread_main(self);
  fail("a thread went on after its end");
}

bool standing(const Thread& thread) {
  return thread.state.load(std::memory_order_relaxed) == ThreadState::standing && !thread.newborn &&
         !thread.failed;
}

}  // namespace

bool can_go_on(const Thread& thread) {
  if (!standing(thread) || &thread == leaving) return false;
  if (thread.next.kind == EventKind::join && thread.next.waits) return false;
  return thread.timed_out || can_happen(thread.next, thread);
}

namespace {

bool anybody_can_go_on() {
  for (std::size_t i = 0; i < gate.live().size(); ++i) {
    if (can_go_on(*gate.live()[i])) return true;
  }
  return false;
}

// A wait with a deadline is over when nobody can go on.
bool time_somebody_out() {
  Thread* earliest = nullptr;
  for (std::size_t i = 0; i < gate.live().size(); ++i) {
    Thread& thread = *gate.live()[i];
    if (!standing(thread) || !thread.next.waits || thread.next.deadline == kNever) continue;
    if (earliest == nullptr || thread.next.deadline < earliest->next.deadline) earliest = &thread;
  }
  if (earliest == nullptr) return false;
  note_unseen(wire::Unseen::forced_timeout);
  jump_to(earliest->next.deadline);
  earliest->timed_out = true;
  return true;
}

// Runs those who need nobody's permission: threads that were just born, and those that waited
// for one that is over. True if there were any.
bool run_followers() {
  if (newborn_count == 0 && !somebody_ended) return false;
  somebody_ended = false;
  bool any = false;
  for (std::size_t i = 0; i < gate.live().size() && !over; ++i) {
    Thread& thread = *gate.live()[i];
    if (thread.newborn) {
      thread.newborn = false;
      --newborn_count;
    } else if (!standing(thread) || thread.next.kind != EventKind::join || !thread.next.waits ||
               !can_happen(thread.next, thread)) {
      continue;
    }
    any = true;
    resume(thread);
  }
  return any;
}

// Until everybody stands before an operation of which the engine decides.
[[gnu::noinline]] void settle_followers() {
  while (!over) {
    if (run_followers()) continue;
    if (leaving == nullptr) {
      if (newborn_count == 0 && !gate.live().empty() && !anybody_can_go_on()) {
        time_somebody_out();
      }
      return;
    }
    if (anybody_can_go_on()) return;
    Thread& last = *leaving;
    leaving = nullptr;
    resume(last);
  }
}

[[gnu::always_inline]] inline void settle() {
  const bool follows = newborn_count != 0 || somebody_ended || leaving != nullptr;
  if (follows || over || !anybody_can_go_on()) settle_followers();
}

void clear_step() {
  step_record.effect_count = step_record.ran_count = 0;
  outcome.wrong = Wrong::nothing;
}

// The thread-locals of threads that were born since the snapshot are as new again.
void return_to_snapshot() {
  for (std::uint32_t i = threads_at_snapshot; i < gate.threads(); ++i) restore_parked(i);
  restore_snapshot();
  watch_again(watched_at_snapshot);
  clear_step();
  over = over_at_snapshot;
  if (outcome_at_snapshot.wrong == Wrong::nothing) return;
  copy_bytes(&outcome, &outcome_at_snapshot, sizeof outcome);
}

// Odd while the program runs, so that the host sees when it does not come back. Nobody else
// writes there.
void count_progress() {
  const std::uint32_t so_far = channel->progress.load(std::memory_order_relaxed);
  channel->progress.store(so_far + 1, std::memory_order_relaxed);
}

// Runs main() until everybody stands for the first time.
void start_program() {
  clear_step();
  __libc_single_threaded = 0;
  Thread& main_thread = gate.thread(0);
  main_thread.fiber = main_start;
  begin_watching(main_thread);
  count_progress();
  resume(main_thread);
  settle();
  count_progress();
}

}  // namespace

void restart() { has_snapshot ? return_to_snapshot() : start_program(); }

void prepare_snapshot() {
  start_program();
  threads_at_snapshot = gate.threads();
  over_at_snapshot = over;
  copy_bytes(&outcome_at_snapshot, &outcome, sizeof outcome);
  keep_watched(watched_at_snapshot);
  take_snapshot();
  has_snapshot = true;
}

void advance(std::uint32_t thread, std::uint32_t choice) {
  clear_step();
  chosen = choice;
  count_progress();
  resume(gate.thread(thread));
  settle();
  count_progress();
}

bool keep_state(std::uint32_t number) { return has_snapshot && !over && set_waypoint(number); }

void return_to(std::uint32_t number) {
  return_to_waypoint(number);
  clear_step();
  over = false;
}

bool prints(const Operation& operation) {
  return operation.kind == EventKind::io && operation.object != nullptr &&
         channel->settings.prints_are_steps != 0;
}

namespace {

bool is_step_of_io(const Operation& operation) {
  if (prints(operation)) return !is_alone();
  if (operation.descriptors != nullptr) return !can_happen(operation, *running);
  return false;
}

void note(explored::Note what) { note_bits |= static_cast<std::uint32_t>(what); }

bool is_step(const Thread& self, const Operation& operation) {
  switch (operation.kind) {
    case EventKind::fork: return !self.joined_now.empty();
    case EventKind::end: return !self.joined_now.empty() && !is_alone();
    case EventKind::join:
      return operation.waits && operation.other->state.load() != ThreadState::finished;
    case EventKind::exit: return true;
    case EventKind::fence: return false;
    case EventKind::io: return is_step_of_io(operation);
    default: break;
  }
  if ((self.no_yield > 0 || is_internal(operation)) && can_happen(operation, self)) {
    if (self.atomic_sections > 0) note(explored::Note::operation_in_section);
    return false;
  }
  return !is_alone() || !can_happen(operation, self) || self.choices > 1;
}

void add_effect(EventKind kind, const Thread& thread) {
  if (step_record.effect_count == StepRecord::kMost) return;
  step_record.effects[step_record.effect_count++] = {kind, thread.id};
}

[[gnu::always_inline]] inline void wait_for_turn(Thread& self, const Operation& operation) {
  const bool leaves = operation.kind == EventKind::exit;
  const bool joins = operation.kind == EventKind::join;
  if (leaves) leaving = &self;
  if (joins) operation.other->is_awaited = true;
  back_to_engine(self);
  if (leaves || joins) return;  // that was no step
  self.first = false;
  self.joined_now.clear();
}

// libc would do that only after us.
void flush_output(Thread& self) {
  InsideLibc inside(&self);
  REAL(fflush)(nullptr);
}

bool anybody_left_unjoined() {
  for (std::uint32_t i = 1; i < gate.threads(); ++i) {
    const Thread& thread = gate.thread(i);
    if (!thread.joined && !thread.detached) return true;
  }
  return false;
}

}  // namespace
}  // namespace exploration

using namespace exploration;

bool is_alone() { return gate.live().size() == 1 && unjoined_count == 0; }

bool pass_explored(Thread& self, const Operation& operation) {
  event_log.settle();
  self.timed_out = false;
  if (is_step(self, operation)) {
    self.next = operation;
    wait_for_turn(self, operation);
  } else if (operation.kind == EventKind::io && operation.deadline != kNever) {
    jump_to(operation.deadline);  // a sleeper: as if the time had passed
  }
  if (operation.kind == EventKind::join && operation.other->state.load() == ThreadState::finished) {
    self.joined_now.push(operation.other->id);
    order_by_join(self, *operation.other);
    --unjoined_count;
  }
  self.next.waits = false;
  return !self.timed_out;
}

namespace {

// Member by member: where a whole operation is made first, and copied then, the copy reads several
// members at once, and has to wait until they have reached memory.
void set_access(Operation& operation, EventKind kind, std::uint64_t address, std::uint32_t size,
                std::uint64_t pc) {
  operation.kind = kind;
  operation.waits = false;
  operation.object = operation.lock = nullptr;
  operation.other = nullptr;
  operation.deadline = kNever;
  operation.pc = pc;
  operation.address = address;
  operation.size = size;
  operation.descriptors = nullptr;
  operation.descriptor_count = 0;
}

}  // namespace

void pass_explored_access(Thread& self, EventKind kind, std::uint64_t address, std::uint32_t size,
                          std::uint64_t pc) {
  event_log.settle();
  set_access(self.next, kind, address, size, pc);
  self.timed_out = false;
  if (kind == EventKind::fence) return;
  if (self.no_yield > 0) {
    if (self.atomic_sections > 0) note(explored::Note::operation_in_section);
    return;
  }
  if (is_alone()) return;
  back_to_engine(self);
  self.first = false;
  self.joined_now.clear();
}

void add_explored(Thread& thread) {
  thread.newborn = thread.first = true;
  ++newborn_count;
  ++unjoined_count;
  order_by_fork(*current_thread, thread);
  add_effect(EventKind::fork, thread);
}

void start_fiber(Thread& thread, std::uint64_t stack_high) {
  if (thread.frames_top != 0) stack_high = thread.frames_top + kFiberPart;
  prepare_fiber(thread.fiber, stack_high, fiber_main, &thread);
  thread.stack_high = stack_high;
  thread.fiber.thread_pointer = parked_thread_pointer(thread.id);
  thread.handle = thread.fiber.thread_pointer;
}

void finish_explored(Thread& self) {
  somebody_ended = somebody_ended || self.is_awaited;
  add_effect(EventKind::end, self);
  back_to_engine(self);
  __builtin_unreachable();
}

void leave_explored(Thread& self, int status) {
  exit_status = status;
  Operation operation;
  operation.kind = EventKind::exit;
  pass_explored(self, operation);
}

void end_execution() {
  Thread& self = *running;
  if (anybody_left_unjoined()) note(explored::Note::unjoined_thread);
  if (channel->settings.prints_are_steps != 0) flush_output(self);
  if (exit_status != 0) {
    char message[] = "the program ends with status    ";
    char* end = message + sizeof message - 2;
    for (int rest = exit_status & 255; rest > 0; rest /= 10)
      *end-- = static_cast<char>('0' + rest % 10);
    note_wrong(Wrong::exit_status, message, 0);
  }
  event_log.event(self, EventKind::exit, 0, 0);
  over = true;
  back_to_engine(self);
  __builtin_unreachable();
}

void explored_access(EventKind kind, std::uint64_t address, std::uint64_t size, std::uint64_t pc) {
  Thread& self = *current_thread;
  constexpr std::uint64_t kReach = std::uint64_t{8} << 20;
  if (kind == EventKind::write && self.stack_high - address > kReach) ++self.writes;
  if (is_alone()) return;
  watch_access(self, kind, address, size, pc);
  if (channel->settings.follows_steps == 0 || outcome.wrong == Wrong::nothing) return;
  event_log.access(self, kind, address, static_cast<std::uint32_t>(size), pc);
  event_log.abandon_write();
  stop_if_wrong();
}

void note_wrong(Wrong wrong, const char* message, std::uint64_t pc) {
  if (outcome.wrong != Wrong::nothing) return;
  outcome.wrong = wrong;
  outcome.thread = running->id;
  outcome.pc = pc;
  std::size_t i = 0;
  for (; message[i] != 0 && i + 1 < sizeof outcome.message; ++i) outcome.message[i] = message[i];
  outcome.message[i] = 0;
  break_if_debugged(pc);
}

void note_race(const char* message, std::uint64_t pc, std::uint32_t other_thread,
               std::uint64_t other_pc) {
  if (outcome.wrong != Wrong::nothing) return;
  note_wrong(Wrong::race, message, pc);
  outcome.other_thread = other_thread;
  outcome.other_pc = other_pc;
}

// The thread is over, for all that others can see of it; what it holds it keeps.
void fail_explored(Wrong wrong, const char* message, std::uint64_t pc) {
  note_wrong(wrong, message, pc);
  Thread& self = *running;
  self.failed = true;
  gate.remove(self);
  back_to_engine(self);
  __builtin_unreachable();
}

void note_unseen(wire::Unseen what) { unseen_bits |= 1u << static_cast<std::uint32_t>(what); }

std::uint32_t choose_explored(Thread& self, std::uint32_t choices, std::uint64_t pc) {
  Operation operation;
  operation.kind = EventKind::fence;
  operation.pc = pc;
  self.choices = choices;
  self.next = operation;
  wait_for_turn(self, operation);
  self.choices = 1;
  return chosen;
}

}  // namespace heddle::runtime
