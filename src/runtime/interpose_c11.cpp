// C11 threads: the same operations under other names.
#include <pthread.h>
#include <threads.h>

#include "runtime/condition_operations.h"
#include "runtime/keys.h"
#include "runtime/lock_operations.h"
#include "runtime/new_thread.h"
#include "runtime/thread_life.h"

namespace heddle::runtime {

namespace {

int as_thrd(int error) {
  switch (error) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ETIMEDOUT: return thrd_timedout;
    case ENOMEM: return thrd_nomem;
    default: return thrd_error;
  }
}

// glibc's mtx_t is a pthread_mutex_t inside.
Object& mutex_of(mtx_t* mutex) {
  return object_at(ObjectType::lock, reinterpret_cast<std::uint64_t>(mutex));
}

}  // namespace
}  // namespace heddle::runtime

using namespace heddle::runtime;
using heddle::EventKind;

INTERPOSE(int, thrd_create, thrd_t* handle, thrd_start_t routine, void* argument) {
  AT_GATE_OR(REAL(thrd_create)(handle, routine, argument));
  Thread& thread = *keep<Thread>();
  thread.c11_routine = routine;
  thread.argument = argument;
  return as_thrd(create_thread(call, handle, nullptr, thread));
}

INTERPOSE(int, thrd_join, thrd_t handle, int* result) {
  AT_GATE_OR(REAL(thrd_join)(handle, result));
  void* value = nullptr;
  const int error = join_thread(call, handle, &value, kNever, false);
  if (result != nullptr) *result = static_cast<int>(reinterpret_cast<long>(value));
  return as_thrd(error);
}

INTERPOSE(int, thrd_detach, thrd_t handle) {
  AT_GATE_OR(REAL(thrd_detach)(handle));
  return as_thrd(detach_thread(handle));
}

INTERPOSE(void, thrd_exit, int result) {
  if (current_thread == nullptr) REAL(thrd_exit)(result);
  unwind_thread(*current_thread, reinterpret_cast<void*>(static_cast<long>(result)));
}

INTERPOSE(void, thrd_yield) {
  AT_GATE_OR(REAL(thrd_yield)());
  gate.yield(call.self);
}

INTERPOSE(int, thrd_sleep, const timespec* duration, timespec* left) {
  AT_GATE_OR(REAL(thrd_sleep)(duration, left));
  Object& clock = special_descriptor(heddle::wire::SpecialDescriptor::clock);
  call.wait(EventKind::io, clock, now() + nanoseconds_of(*duration));
  call.log(EventKind::io, clock);
  return 0;
}

INTERPOSE(int, mtx_init, mtx_t* mutex, int type) {
  const int result = REAL(mtx_init)(mutex, type);
  if (current_thread != nullptr && result == thrd_success) {
    define_object(heddle::ObjectType::lock, reinterpret_cast<std::uint64_t>(mutex),
                  (type & mtx_recursive) != 0 ? heddle::wire::LockKind::recursive
                                              : heddle::wire::LockKind::mutex);
  }
  return result;
}

INTERPOSE(void, mtx_destroy, mtx_t* mutex) {
  AT_GATE_OR(REAL(mtx_destroy)(mutex));
  forget_object(heddle::ObjectType::lock, reinterpret_cast<std::uint64_t>(mutex));
}

INTERPOSE(int, mtx_lock, mtx_t* mutex) {
  AT_GATE_OR(REAL(mtx_lock)(mutex));
  return as_thrd(acquire(call, mutex_of(mutex)));
}

INTERPOSE(int, mtx_trylock, mtx_t* mutex) {
  AT_GATE_OR(REAL(mtx_trylock)(mutex));
  return as_thrd(try_acquire(call, mutex_of(mutex)));
}

INTERPOSE(int, mtx_timedlock, mtx_t* mutex, const timespec* until) {
  AT_GATE_OR(REAL(mtx_timedlock)(mutex, until));
  return as_thrd(acquire(call, mutex_of(mutex), time_of_reading(CLOCK_REALTIME, *until)));
}

INTERPOSE(int, mtx_unlock, mtx_t* mutex) {
  AT_GATE_OR(REAL(mtx_unlock)(mutex));
  return as_thrd(release(call, mutex_of(mutex)));
}

INTERPOSE(int, cnd_init, cnd_t* condition) {
  const int result = REAL(cnd_init)(condition);
  if (current_thread != nullptr) {
    define_object(heddle::ObjectType::condition, address_of(condition));
  }
  return result;
}

INTERPOSE(void, cnd_destroy, cnd_t* condition) {
  AT_GATE_OR(REAL(cnd_destroy)(condition));
  forget_object(heddle::ObjectType::condition, address_of(condition));
}

INTERPOSE(int, cnd_wait, cnd_t* condition, mtx_t* mutex) {
  AT_GATE_OR(REAL(cnd_wait)(condition, mutex));
  return as_thrd(wait_on_condition(call, address_of(condition), mutex_of(mutex), kNever));
}

INTERPOSE(int, cnd_timedwait, cnd_t* condition, mtx_t* mutex, const timespec* until) {
  AT_GATE_OR(REAL(cnd_timedwait)(condition, mutex, until));
  return as_thrd(wait_on_condition(call, address_of(condition), mutex_of(mutex),
                                   time_of_reading(CLOCK_REALTIME, *until)));
}

INTERPOSE(int, cnd_signal, cnd_t* condition) {
  AT_GATE_OR(REAL(cnd_signal)(condition));
  notify_condition(call, address_of(condition), EventKind::notify);
  return thrd_success;
}

INTERPOSE(int, cnd_broadcast, cnd_t* condition) {
  AT_GATE_OR(REAL(cnd_broadcast)(condition));
  notify_condition(call, address_of(condition), EventKind::notify_all);
  return thrd_success;
}

INTERPOSE(int, tss_create, tss_t* key, tss_dtor_t destructor) {
  if (current_thread == nullptr) return REAL(tss_create)(key, destructor);
  return as_thrd(create_key(key, destructor));
}
INTERPOSE(void, tss_delete, tss_t key) {
  if (current_thread == nullptr) return REAL(tss_delete)(key);
  delete_key(key);
}
INTERPOSE(void*, tss_get, tss_t key) {
  if (current_thread == nullptr) return REAL(tss_get)(key);
  return key_value(*current_thread, key);
}
INTERPOSE(int, tss_set, tss_t key, void* value) {
  if (current_thread == nullptr) return REAL(tss_set)(key, value);
  return as_thrd(set_key_value(*current_thread, key, value));
}
