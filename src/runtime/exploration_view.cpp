// What the engine is told of the program: what threads will do next, and what came of a step.
#include <unistd.h>

#include "runtime/exploration_state.h"
#include "runtime/futex.h"
#include "runtime/gate.h"
#include "runtime/snapshot.h"
#include "runtime/waypoint.h"

namespace heddle::runtime::exploration {
namespace {

using explored::Effect;
using explored::Next;
using explored::Outcome;
using explored::Place;

KEPT char* output_text;
KEPT std::size_t output_capacity;

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
  if (prints(next)) return ObjectType::location;
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
  if (prints(thread.next)) return EventKind::atomic_rmw;
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

// From where on the stack is what the program's functions go on with: their frames, and below them
// the return address and the six registers that they may have kept something in. Where that is not
// known, our own frames are part of it, with what happens to lie there.
const std::uint64_t* stack_of_program(const Thread& thread) {
  constexpr std::ptrdiff_t kKeptWords = 1 + 6;
  if (thread.program_frame == 0) {
    return static_cast<const std::uint64_t*>(thread.fiber.stack_pointer);
  }
  return reinterpret_cast<const std::uint64_t*>(thread.program_frame) - kKeptWords;
}

std::uint64_t state_of(std::uint32_t id) {
  const Thread& thread = gate.thread(id);
  std::uint64_t hash = thread.writes + 1;
  const auto* end = reinterpret_cast<const std::uint64_t*>(thread.stack_high);
  for (const std::uint64_t* word = stack_of_program(thread); word < end; ++word) {
    hash = ((hash ^ *word) * 0x9e3779b97f4a7c15) ^ (hash >> 29);
  }
  return hash | 1;
}

const Effect* effects_of_step(std::uint32_t* count) {
  *count = step_record.effect_count;
  return step_record.effects;
}
const std::uint32_t* ran_in_step(std::uint32_t* count) {
  *count = step_record.ran_count;
  return step_record.ran;
}
const Outcome* outcome_of_step() { return &outcome; }
bool is_over() { return over; }
std::uint32_t notes_so_far() { return note_bits; }

// Standard output is a file that begins anew with every execution (snapshot.h, Positions).
std::size_t output_so_far(const char** text) {
  const long size = system_call(SYS_lseek, STDOUT_FILENO, 0, SEEK_CUR);
  if (size <= 0) return 0;
  if (static_cast<std::size_t>(size) > output_capacity) {
    output_capacity = static_cast<std::size_t>(size) * 2;
    output_text = static_cast<char*>(map_kept_pages(output_capacity));
  }
  *text = output_text;
  const long read =
      system_call(SYS_pread64, STDOUT_FILENO, reinterpret_cast<long>(output_text), size, 0);
  return read > 0 ? static_cast<std::size_t>(read) : 0;
}

std::uint32_t unseen_so_far() { return unseen_bits; }

}  // namespace

const explored::Program kProgram = {
    explored::kVersion, restart,         advance,      follow,
    thread_count,       describe_next,   state_of,     effects_of_step,
    ran_in_step,        outcome_of_step, is_over,      map_kept_pages,
    restored_bytes,     unseen_so_far,   keep_state,   return_to,
    waypoint_bytes,     notes_so_far,    output_so_far};

}  // namespace heddle::runtime::exploration
