// Synchronisation objects, modelled inside the gate.
//
// What the program keeps in its pthread_mutex_t and its like is not used: the gate has its
// own model of every object, found by its address, so it knows who holds what and who could
// go on. An object is new when it is initialised, or when its address is used for the first
// time since the memory there was freed.
#pragma once

#include <cstdint>

#include "runtime/memory.h"
#include "runtime/wire.h"
#include "trace/event.h"

namespace heddle::runtime {

struct Clock;
struct Thread;
using wire::LockKind;

// The threads that wait on a condition, in the order in which they came; see
// trace/wait_queue.h for why one mark per waiter describes all choices that notifies left
// open. Under the gate the choice stays open, too: who wakes is the policy's decision.
class Waiters {
 public:
  void add(Thread* thread) { waiters_.push({thread, false}); }
  void notify();
  void notify_all();
  bool can_wake(const Thread* thread) const;
  bool can_time_out(const Thread* thread) const;
  void wake(const Thread* thread);
  void time_out(const Thread* thread);
  // Those that no notify has chosen for certain.
  std::size_t unmarked() const;

 private:
  struct Waiter {
    Thread* thread;
    bool marked;
  };
  std::size_t position(const Thread* thread) const;
  std::size_t mark_from(std::size_t i) const;
  std::size_t gap_before(std::size_t end) const;
  Array<Waiter> waiters_;
};

enum class OnceState : std::uint8_t { fresh, running, done };

struct Object {
  ObjectType type = ObjectType::none;
  LockKind lock_kind = LockKind::mutex;
  bool checks_errors = false;  // mutex: refuses its holder, and those who do not hold it
  OnceState once = OnceState::fresh;
  std::uint32_t id = 0;
  std::uint64_t address = 0;
  Object* next_on_page = nullptr;

  Thread* owner = nullptr;    // lock, once
  std::uint32_t depth = 0;    // lock: how often its owner holds it
  std::uint32_t readers = 0;  // lock
  std::uint32_t count = 0;    // semaphore
  std::uint32_t parties = 0;  // barrier
  std::uint32_t arrived = 0;
  std::uint32_t generation = 0;
  Waiters waiters;                // condition
  Clock* clock = nullptr;         // what happened before its last release; explored only
  Clock* reader_clock = nullptr;  // and before those of readers
  Object* queue_lock = nullptr;   // condition of a futex: the kernel's lock of its queue

  bool free_for(const Thread* thread) const {
    if (lock_kind == LockKind::recursive && owner == thread) return true;
    return owner == nullptr && readers == 0;
  }
  bool free_for_reader() const { return owner == nullptr; }
};

// A new object at this address, told to the host; the one that was there is forgotten.
Object& define_object(ObjectType type, std::uint64_t address, LockKind kind = LockKind::mutex,
                      std::uint64_t extra = 0);
// The object at this address; null if there is none.
Object* find_object(ObjectType type, std::uint64_t address);
// The object, or a new one without further properties.
Object& object_at(ObjectType type, std::uint64_t address);
void forget_object(ObjectType type, std::uint64_t address);
// Memory was freed: the objects in it are no more.
void forget_objects_in(std::uint64_t address, std::uint64_t size);
// A descriptor that stands for a part of libc's state.
Object& special_descriptor(wire::SpecialDescriptor which);

}  // namespace heddle::runtime
