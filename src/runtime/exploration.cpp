#include "runtime/exploration.h"

#include <csignal>
#include <cstdlib>

#include <dlfcn.h>
#include <link.h>
#include <sys/single_threaded.h>
#include <ucontext.h>
#include <unistd.h>

#include "runtime/futex.h"
#include "runtime/gate.h"
#include "runtime/parked_threads.h"
#include "runtime/process.h"
#include "runtime/race_detector.h"
#include "runtime/snapshot.h"
#include "runtime/vehicle.h"
#include "runtime/virtual_time.h"
#include "runtime/waypoint.h"

namespace heddle::runtime {

bool exploring = false;

namespace {

using explored::Effect;
using explored::Next;
using explored::Outcome;
using explored::Place;
using explored::Wrong;

constexpr std::size_t kEngineStack = std::size_t{64} << 20;
constexpr std::size_t kCrashStack = std::size_t{64} << 10;
constexpr std::uint32_t kMostEffects = 4096;

// All of this stays when the program is put back to its start.
KEPT Fiber engine;
KEPT Fiber main_start;
KEPT wire::Header* channel;
KEPT explored::Search search;
KEPT Outcome outcome;
KEPT Effect effects[kMostEffects];
KEPT std::uint32_t effect_count;
KEPT std::uint32_t ran[kMostEffects];
KEPT std::uint32_t ran_count;
KEPT std::uint32_t unseen_bits;
KEPT std::uint32_t chosen;
KEPT bool over;
KEPT bool has_snapshot;
KEPT std::uint32_t threads_at_snapshot;
KEPT bool over_at_snapshot;
KEPT Outcome outcome_at_snapshot;
KEPT WatchedCells watched_at_snapshot;
KEPT char* crash_stack;
KEPT std::uint64_t crash_pc;
KEPT int crash_signal;
KEPT Thread* running;
constexpr std::uint32_t kMostLibraries = 128;
KEPT MemoryRange libraries[kMostLibraries];  // that are not instrumented
KEPT std::uint32_t library_count;

// These are put back.
std::uint32_t newborn_count;
bool somebody_ended;  // for whom others wait
std::uint32_t unjoined_count;
Thread* leaving;  // stands before the end of the process
int exit_status;

void back_to_engine(Thread& self) { switch_fiber(self.fiber, engine); }

void resume(Thread& thread) {
  if (ran_count < kMostEffects) ran[ran_count++] = thread.id;
  running = &thread;
  switch_fiber(engine, thread.fiber);
  running = nullptr;
}

void fiber_main(void* argument) {
  Thread& self = *static_cast<Thread*>(argument);
  set_current_thread(&self);
  thread_main(self);
  RUNTIME_CHECK(!"a thread went on after its end");
}

bool standing(const Thread& thread) {
  return thread.state.load(std::memory_order_relaxed) == ThreadState::standing && !thread.newborn &&
         !thread.failed;
}

bool can_go_on(const Thread& thread) {
  if (!standing(thread) || &thread == leaving) return false;
  if (thread.next.kind == EventKind::join && thread.next.waits) return false;
  return thread.timed_out || can_happen(thread.next, thread);
}

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
void settle() {
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

void clear_step() {
  effect_count = ran_count = 0;
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

// Runs main() until everybody stands for the first time.
void start_program() {
  clear_step();
  __libc_single_threaded = 0;
  Thread& main_thread = gate.thread(0);
  main_thread.fiber = main_start;
  begin_watching(main_thread);
  resume(main_thread);
  settle();
}

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
  resume(gate.thread(thread));
  settle();
}

bool keep_state(std::uint32_t number) { return has_snapshot && !over && set_waypoint(number); }

void return_to(std::uint32_t number) {
  return_to_waypoint(number);
  clear_step();
  over = false;
}

std::uint32_t thread_count() { return gate.threads(); }

std::uint64_t word_at(std::uint64_t address, std::uint32_t size) {
  switch (size) {
    case 1: return *reinterpret_cast<const volatile std::uint8_t*>(address);
    case 2: return *reinterpret_cast<const volatile std::uint16_t*>(address);
    case 4: return *reinterpret_cast<const volatile std::uint32_t*>(address);
    default: return *reinterpret_cast<const volatile std::uint64_t*>(address);
  }
}

ObjectType type_accessed(const Operation& next) {
  switch (next.kind) {
    case EventKind::join:
    case EventKind::fork:
    case EventKind::begin:
    case EventKind::end: return ObjectType::thread;
    default: break;
  }
  if (next.object != nullptr) return next.object->type;
  return next.address != 0 ? ObjectType::location : ObjectType::none;
}

std::uint64_t object_accessed(const Operation& next) {
  if (next.other != nullptr) return next.other->id + 1;
  if (next.object != nullptr) return next.object->address;
  return next.address;
}

EventKind failed_kind(EventKind kind) {
  switch (kind) {
    case EventKind::acquire: return EventKind::failed_acquire;
    case EventKind::reader_acquire: return EventKind::failed_reader_acquire;
    case EventKind::semaphore_wait: return EventKind::failed_semaphore_wait;
    default: return kind;
  }
}

// Whether what is only tried would succeed.
bool could_happen(const Thread& thread) {
  Operation operation = thread.next;
  operation.waits = true;
  return can_happen(operation, thread);
}

// A compare-and-swap that will fail, or an exchange for what is there already.
bool changes_nothing(const Thread& thread) {
  if (thread.changes_if == Thread::Condition::none) return false;
  const bool equal = word_at(thread.next.address, thread.next.size) == thread.expected;
  return equal != (thread.changes_if == Thread::Condition::equal);
}

bool tries(const Operation& operation) {
  return !operation.waits && failed_kind(operation.kind) != operation.kind;
}

// What the thread's next operation will turn out to be, as things stand.
EventKind kind_of_next(const Thread& thread) {
  const EventKind kind = thread.next.kind;
  if (changes_nothing(thread)) return EventKind::atomic_read;
  if (thread.timed_out && kind == EventKind::wake) return EventKind::timeout;
  if (tries(thread.next) && !could_happen(thread)) return failed_kind(kind);
  return kind;
}

void describe_standing(const Thread& thread, Next& next) {
  const Operation& operation = thread.next;
  next.kind = kind_of_next(thread);
  next.ready = can_go_on(thread);
  next.tried = tries(operation);
  next.conditional = operation.waits || next.tried || thread.changes_if != Thread::Condition::none;
  next.first = thread.first;
  next.choices = thread.choices;
  next.join_count = static_cast<std::uint32_t>(thread.joined_now.size());
  next.joins = thread.joined_now.data();
  next.type = type_accessed(operation);
  next.object = object_accessed(operation);
  next.second_type = operation.lock != nullptr ? ObjectType::lock : ObjectType::none;
  next.second = operation.lock != nullptr ? operation.lock->address : 0;
  next.pc = operation.pc;
}

void describe_next(std::uint32_t id, Next* next) {
  *next = Next();
  next->choices = 1;
  if (id >= gate.threads()) return;
  const Thread& thread = gate.thread(id);
  const bool finished = over || thread.failed || thread.state.load() == ThreadState::finished;
  next->place = finished ? Place::finished : Place::standing;
  if (!finished) describe_standing(thread, *next);
}

bool stands_before(const explored::Taken& step) {
  if (over || step.thread >= gate.threads()) return false;
  const Thread& thread = gate.thread(step.thread);
  return can_go_on(thread) && thread.next.pc == step.pc && kind_of_next(thread) == step.kind &&
         object_accessed(thread.next) == step.object;
}

std::size_t follow(const explored::Taken* steps, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (!stands_before(steps[i])) return i;
    advance(steps[i].thread, steps[i].choice);
  }
  return count;
}

// Its registers lie on its stack, above everything that it still uses.
std::uint64_t state_of(std::uint32_t id) {
  const Thread& thread = gate.thread(id);
  std::uint64_t hash = thread.writes + 1;
  const auto* word = static_cast<const std::uint64_t*>(thread.fiber.stack_pointer);
  const auto* end = reinterpret_cast<const std::uint64_t*>(thread.stack_high);
  for (; word < end; ++word) hash = ((hash ^ *word) * 0x9e3779b97f4a7c15) ^ (hash >> 29);
  return hash | 1;
}

const Effect* effects_of_step(std::uint32_t* count) {
  *count = effect_count;
  return effects;
}
const std::uint32_t* ran_in_step(std::uint32_t* count) {
  *count = ran_count;
  return ran;
}
const Outcome* outcome_of_step() { return &outcome; }
bool is_over() { return over; }
std::uint32_t unseen_so_far() { return unseen_bits; }

constexpr explored::Program kProgram = {
    explored::kVersion, restart,         advance,    follow,
    thread_count,       describe_next,   state_of,   effects_of_step,
    ran_in_step,        outcome_of_step, is_over,    map_kept_pages,
    restored_bytes,     unseen_so_far,   keep_state, return_to,
    waypoint_bytes};

// ----- following a schedule ----------------------------------------------------------------

[[noreturn]] void die_as_found() {
  event_log.complete();
  int signal = SIGABRT;
  if (outcome.wrong == Wrong::crash && crash_signal != 0) signal = crash_signal;
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  REAL(sigaction)(signal, &action, nullptr);
  if (outcome.wrong != Wrong::exit_status) {
    system_call(SYS_kill, system_call(SYS_getpid), signal);
  }
  for (;;) system_call(SYS_exit_group, exit_status);
}

void stop_if_wrong() {
  if (outcome.wrong == Wrong::nothing) return;
  say(outcome.message);
  die_as_found();
}

Thread* anybody_ready() {
  for (std::size_t i = 0; i < gate.live().size(); ++i) {
    if (can_go_on(*gate.live()[i])) return gate.live()[i];
  }
  return nullptr;
}

// Takes the steps of the channel's schedule, with everything that happens in the log.
[[noreturn]] void follow_schedule() {
  restart();
  stop_if_wrong();
  const wire::Run* schedule = wire::schedule_of(channel);
  for (std::uint64_t i = 0; i < channel->schedule_runs && !over; ++i) {
    Thread* thread = gate.thread_numbered(schedule[i].thread);
    if (thread == nullptr) report_divergence(schedule[i].thread, wire::Divergence::unborn);
    if (!can_go_on(*thread)) report_divergence(thread->id, wire::Divergence::not_ready);
    advance(thread->id, schedule[i].events - 1);
    stop_if_wrong();
  }
  if (!over && anybody_ready() == nullptr) report_deadlock();
  if (!over) say(explored::kScheduleOver);
  event_log.complete();
  for (;;) system_call(SYS_exit_group, exit_status);
}

// ----- the engine --------------------------------------------------------------------------

void run_engine(void*) {
  if (channel->settings.follows_steps != 0) follow_schedule();
  if (channel->search.resets_by_fork == 0) prepare_snapshot();
  search(&kProgram, channel);
  for (;;) system_call(SYS_exit_group, 0);
}

// ----- crashes -----------------------------------------------------------------------------

void land_after_crash() {
  const char* what = crash_signal == SIGSEGV  ? "segmentation fault (SIGSEGV)"
                     : crash_signal == SIGBUS ? "bus error (SIGBUS)"
                     : crash_signal == SIGFPE ? "arithmetic error (SIGFPE)"
                                              : "illegal instruction (SIGILL)";
  event_log.abandon_write();
  fail_explored(Wrong::crash, what, crash_pc);
}

// A first write to a protected page, or the end of a thread that did something bad: it lands,
// as it were, in land_after_crash, on a stack that is certainly there.
void on_fault(int number, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  if (number == SIGSEGV && settle_fault(address)) return;
  auto* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (running == nullptr) fail("the engine of the search crashed, which is a mistake in Heddle");
  crash_pc = static_cast<std::uint64_t>(registers[REG_RIP]);
  crash_signal = number;
  const std::uint64_t top = reinterpret_cast<std::uint64_t>(crash_stack) + kCrashStack;
  registers[REG_RSP] = static_cast<greg_t>((top & ~std::uint64_t{15}) - 8);
  registers[REG_RIP] = reinterpret_cast<greg_t>(&land_after_crash);
}

void handle_faults() {
  crash_stack = static_cast<char*>(map_kept_pages(kCrashStack));
  stack_t stack = {};
  stack.ss_size = std::size_t{256} << 10;
  stack.ss_sp = map_kept_pages(stack.ss_size);
  ::sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    REAL(sigaction)(number, &action, nullptr);
  }
}

// The engine lies beside the runtime.
void load_engine() {
  Dl_info own;
  LARGE static char path[4096];
  std::size_t length = 0;
  if (::dladdr(reinterpret_cast<void*>(&load_engine), &own) != 0) {
    for (const char* c = own.dli_fname; *c != 0 && length + 64 < sizeof path; ++c)
      path[length++] = *c;
  }
  while (length > 0 && path[length - 1] != '/') --length;
  for (const char* c = explored::kEngineFile; *c != 0; ++c) path[length++] = *c;
  path[length] = 0;
  void* library = REAL(dlopen)(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    fail("libheddle_engine.so does not load; it belongs beside libheddle_rt.so");
  search = reinterpret_cast<explored::Search>(::dlsym(library, explored::kEngineEntry));
  if (search == nullptr) fail("libheddle_engine.so is of another version than libheddle_rt.so");
}

int note_library(dl_phdr_info* info, std::size_t, void*) {
  std::uint64_t low = ~std::uint64_t{0};
  std::uint64_t high = 0;
  bool instrumented = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const std::uint64_t start = info->dlpi_addr + segment.p_vaddr;
    low = start < low ? start : low;
    high = start + segment.p_memsz > high ? start + segment.p_memsz : high;
    instrumented = instrumented || in_instrumented_module(start);
  }
  if (!instrumented && high > low && library_count < kMostLibraries) {
    libraries[library_count++] = {low, high};
  }
  return 0;
}

// ----- which operations are steps ----------------------------------------------------------

bool is_step_of_io(const Operation& operation) {
  if (operation.descriptors != nullptr) return !can_happen(operation, *running);
  return false;
}

// Locks and the like of libraries that are not instrumented: nobody stands anywhere while it
// holds one, so they are always free, and what they protect is not seen.
bool is_internal(const Operation& operation) {
  if (operation.object == nullptr) return false;
  for (std::uint32_t i = 0; i < library_count; ++i) {
    if (operation.object->address - libraries[i].low < libraries[i].high - libraries[i].low) {
      return true;
    }
  }
  return false;
}

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
  if ((self.no_yield > 0 || is_internal(operation)) && can_happen(operation, self)) return false;
  return !is_alone() || !can_happen(operation, self) || self.choices > 1;
}

void wait_for_turn(Thread& self, const Operation& operation) {
  const bool leaves = operation.kind == EventKind::exit;
  const bool joins = operation.kind == EventKind::join;
  if (leaves) leaving = &self;
  if (joins) operation.other->is_awaited = true;
  back_to_engine(self);
  if (leaves || joins) return;  // that was no step
  self.first = false;
  self.joined_now.clear();
}

}  // namespace

bool is_alone() { return gate.live().size() == 1 && unjoined_count == 0; }

bool pass_explored(Thread& self, const Operation& operation) {
  event_log.settle();
  self.next = operation;
  self.timed_out = false;
  if (is_step(self, operation)) {
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

void add_explored(Thread& thread) {
  thread.newborn = thread.first = true;
  ++newborn_count;
  ++unjoined_count;
  order_by_fork(*current_thread, thread);
  if (effect_count < kMostEffects) effects[effect_count++] = {EventKind::fork, thread.id};
}

void start_fiber(Thread& thread, std::uint64_t stack_high) {
  prepare_fiber(thread.fiber, stack_high, fiber_main, &thread);
  thread.stack_high = stack_high;
  thread.fiber.thread_pointer = parked_thread_pointer(thread.id);
  thread.handle = thread.fiber.thread_pointer;
}

void finish_explored(Thread& self) {
  somebody_ended = somebody_ended || self.is_awaited;
  if (effect_count < kMostEffects) effects[effect_count++] = {EventKind::end, self.id};
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

void prepare_exploration(wire::Header* header) {
  channel = header;
  message_copy = header->message;
  exploring = true;
  use_resettable_memory();
  find_out_how_to_set_thread_pointer();
  if (header->settings.follows_steps == 0) load_engine();
}

void begin_explored_main(Thread& main_thread, std::uint64_t stack_high) {
  if (gate.live().size() > 1) {
    fail("the program starts threads before main(), which cannot be explored");
  }
  handle_faults();
  ::dl_iterate_phdr(note_library, nullptr);
  engine.thread_pointer = parked_thread_pointer(0);
  const auto stack = reinterpret_cast<std::uint64_t>(map_kept_pages(kEngineStack));
  prepare_fiber(engine, stack + kEngineStack, run_engine, nullptr);
  main_start.thread_pointer = reinterpret_cast<std::uint64_t>(__builtin_thread_pointer());
  main_thread.fiber = main_start;
  main_thread.stack_high = stack_high;
  switch_fiber(main_start, engine);
}

}  // namespace heddle::runtime
