// Threads of pthreads: create, join, detach, exit, cancel, and what belongs to a thread.
#include <cerrno>
#include <cstdlib>

#include <pthread.h>

#include "runtime/exploration.h"
#include "runtime/interpose.h"
#include "runtime/new_thread.h"
#include "runtime/stack_slot.h"
#include "runtime/thread_life.h"
#include "runtime/vehicle.h"

namespace heddle::runtime {
namespace {

Map<Thread*> by_handle;

std::uint64_t wanted_stack_size(const pthread_attr_t* attributes) {
  std::size_t size = 0;
  if (attributes != nullptr) ::pthread_attr_getstacksize(attributes, &size);
  return size > kDefaultStack ? size : kDefaultStack;
}

bool has_own_stack(const pthread_attr_t* attributes, StackBounds& bounds) {
  if (attributes == nullptr) return false;
  void* low = nullptr;
  std::size_t size = 0;
  ::pthread_attr_getstack(attributes, &low, &size);
  if (low == nullptr) return false;
  bounds = {reinterpret_cast<std::uint64_t>(low), reinterpret_cast<std::uint64_t>(low) + size};
  return bounds.low < ~std::uint64_t{0} >> 17;  // glibc computes one for a stack not set
}

bool wants_detached(const pthread_attr_t* attributes) {
  int state = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) ::pthread_attr_getdetachstate(attributes, &state);
  return state == PTHREAD_CREATE_DETACHED;
}

int start(Thread& thread, const StackBounds& stack) {
  if (exploring) {
    start_fiber(thread, stack.high);
    return 0;
  }
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstack(&attributes, reinterpret_cast<void*>(stack.low), stack.high - stack.low);
  const int result = start_vehicle(thread, &attributes);
  ::pthread_attr_destroy(&attributes);
  return result;
}

int join_after(Call& call, Thread& other, void** result, std::uint64_t deadline, bool tries) {
  if (&other == &call.self) return EDEADLK;
  if (other.detached || other.joined) return EINVAL;
  Operation operation;
  operation.kind = EventKind::join;
  operation.waits = !tries;
  operation.other = &other;
  operation.deadline = deadline;
  operation.pc = call.pc;
  if (!gate.pass(call.self, operation)) return ETIMEDOUT;
  if (other.state.load() != ThreadState::finished) return EBUSY;
  if (result != nullptr) *result = other.result;
  other.joined = true;
  event_log.event(call.self, EventKind::join, other.id, call.pc);
  ownership.joined(call.self, other);
  reap_vehicle(other);
  give_slot_back(other);
  return 0;
}

}  // namespace

Thread* thread_of(pthread_t handle) {
  Thread** found = by_handle.find(handle);
  return found != nullptr ? *found : nullptr;
}

void note_handle(Thread& thread) { by_handle.insert(thread.handle, &thread); }

int create_thread(Call& call, pthread_t* handle, const pthread_attr_t* attributes, Thread& thread) {
  call.pass(EventKind::fork);
  InsideLibc inside(&call.self);
  reap_detached_threads();
  StackBounds given{};
  const bool own_stack = has_own_stack(attributes, given);
  const StackBounds slot = take_slot(thread, wanted_stack_size(attributes) + kLibraryPart);
  const StackBounds stack = own_stack ? given : slot;
  if (!own_stack) thread.frames_top = slot.high - kLibraryPart;
  thread.parent = call.self.id;
  thread.processors = call.self.processors;
  thread.detached = wants_detached(attributes);
  thread.id = gate.threads();
  if (const int error = start(thread, stack)) {
    give_slot_back(thread);
    return error;
  }
  note_handle(thread);
  *handle = thread.handle;
  event_log.define_thread(thread, ++call.self.children, stack.low, stack.high);
  event_log.event(call.self, EventKind::fork, thread.id, call.pc);
  gate.add(thread);
  ownership.forked(call.self, thread);
  return 0;
}

void cancellation_point(Thread& self) {
  if (self.cancel_requested && !self.cancel_disabled && !self.exiting) {
    unwind_thread(self, PTHREAD_CANCELED);
  }
}

int join_thread(Call& call, pthread_t handle, void** result, std::uint64_t deadline, bool tries) {
  cancellation_point(call.self);
  Thread* other = thread_of(handle);
  return other != nullptr ? join_after(call, *other, result, deadline, tries) : ESRCH;
}

int detach_thread(pthread_t handle) {
  Thread* other = thread_of(handle);
  if (other == nullptr) return ESRCH;
  if (other->detached || other->joined) return EINVAL;
  other->detached = true;
  if (other->state.load() == ThreadState::finished) {
    reap_vehicle(*other);
    give_slot_back(*other);
  }
  return 0;
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

INTERPOSE(int, pthread_create, pthread_t* handle, const pthread_attr_t* attributes,
          void* (*routine)(void*), void* argument) {
  AT_GATE_OR(REAL(pthread_create)(handle, attributes, routine, argument));
  Thread& thread = *keep<Thread>();
  thread.routine = routine;
  thread.argument = argument;
  return create_thread(call, handle, attributes, thread);
}

INTERPOSE(int, pthread_join, pthread_t handle, void** result) {
  AT_GATE_OR(REAL(pthread_join)(handle, result));
  return join_thread(call, handle, result, kNever, false);
}

INTERPOSE(int, pthread_tryjoin_np, pthread_t handle, void** result) {
  AT_GATE_OR(REAL(pthread_tryjoin_np)(handle, result));
  return join_thread(call, handle, result, kNever, true);
}

INTERPOSE(int, pthread_timedjoin_np, pthread_t handle, void** result, const timespec* until) {
  AT_GATE_OR(REAL(pthread_timedjoin_np)(handle, result, until));
  return join_thread(call, handle, result, time_of_reading(CLOCK_REALTIME, *until), false);
}

INTERPOSE(int, pthread_clockjoin_np, pthread_t handle, void** result, clockid_t clock,
          const timespec* until) {
  AT_GATE_OR(REAL(pthread_clockjoin_np)(handle, result, clock, until));
  return join_thread(call, handle, result, time_of_reading(clock, *until), false);
}

INTERPOSE(int, pthread_detach, pthread_t handle) {
  AT_GATE_OR(REAL(pthread_detach)(handle));
  return detach_thread(handle);
}

INTERPOSE(int, pthread_setname_np, pthread_t handle, const char* name) {
  AT_GATE_OR(REAL(pthread_setname_np)(handle, name));
  go_home(call.self);
  const int result = REAL(pthread_setname_np)(handle, name);
  Thread* named = thread_of(handle);
  if (named == nullptr || result == ERANGE) return result;
  // The kernel's thread may be gone before it is joined, or not yet: that must make no difference.
  event_log.name_thread(*named, name);
  return 0;
}

INTERPOSE(void, pthread_exit, void* result) {
  if (current_thread == nullptr) REAL(pthread_exit)(result);
  unwind_thread(*current_thread, result);
}

INTERPOSE(int, pthread_cancel, pthread_t handle) {
  AT_GATE_OR(REAL(pthread_cancel)(handle));
  Thread* other = thread_of(handle);
  if (other == nullptr) return ESRCH;
  call.touch(heddle::wire::SpecialDescriptor::process);
  other->cancel_requested = true;
  return 0;
}

INTERPOSE(void, pthread_testcancel) {
  if (current_thread == nullptr) return REAL(pthread_testcancel)();
  cancellation_point(*current_thread);
}

INTERPOSE(int, pthread_setcancelstate, int state, int* old_state) {
  AT_GATE_OR(REAL(pthread_setcancelstate)(state, old_state));
  if (old_state != nullptr) {
    *old_state = call.self.cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
  }
  call.self.cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
  return 0;
}

// pthread_cleanup_push in C without -fexceptions: a place to jump to when the thread is
// unwound past it.
extern "C" void __pthread_register_cancel(__pthread_unwind_buf_t* buffer);
extern "C" void __pthread_unregister_cancel(__pthread_unwind_buf_t* buffer);
extern "C" void __pthread_unwind_next(__pthread_unwind_buf_t* buffer);

INTERPOSE(void, __pthread_register_cancel, __pthread_unwind_buf_t* buffer) {
  if (current_thread == nullptr) return REAL(__pthread_register_cancel)(buffer);
  current_thread->cleanups.push(buffer);
}

INTERPOSE(void, __pthread_unregister_cancel, __pthread_unwind_buf_t* buffer) {
  if (current_thread == nullptr) return REAL(__pthread_unregister_cancel)(buffer);
  if (!current_thread->cleanups.empty()) current_thread->cleanups.pop();
}

// The cleanup has been done: on with the unwinding.
INTERPOSE(void, __pthread_unwind_next, __pthread_unwind_buf_t* buffer) {
  if (current_thread == nullptr) REAL(__pthread_unwind_next)(buffer);
  unwind_thread(*current_thread, current_thread->result);
}

// Destructors of thread_local objects run at the gate, before the thread's end.
extern "C" int __cxa_thread_atexit_impl(void (*destructor)(void*), void* argument, void* module);
INTERPOSE(int, __cxa_thread_atexit_impl, void (*destructor)(void*), void* argument, void* module) {
  if (current_thread == nullptr) {
    return REAL(__cxa_thread_atexit_impl)(destructor, argument, module);
  }
  current_thread->exits.push({destructor, argument});
  return 0;
}
