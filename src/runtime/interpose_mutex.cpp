// Mutexes and spin locks of pthreads.
#include <pthread.h>

#include "runtime/lock_operations.h"

namespace heddle::runtime {
namespace {

// The kind as glibc keeps it, also in static initialisers.
Object& define_mutex(pthread_mutex_t* mutex) {
  const int kind = mutex->__data.__kind & 3;
  Object& lock =
      define_object(ObjectType::lock, address_of(mutex),
                    kind == PTHREAD_MUTEX_RECURSIVE ? LockKind::recursive : LockKind::mutex);
  lock.checks_errors = kind == PTHREAD_MUTEX_ERRORCHECK;
  return lock;
}

}  // namespace

Object& mutex_at(pthread_mutex_t* mutex) {
  Object* known = find_object(ObjectType::lock, address_of(mutex));
  return known != nullptr ? *known : define_mutex(mutex);
}

namespace {

Object& spin_lock_at(pthread_spinlock_t* lock) {
  return object_at(ObjectType::lock, reinterpret_cast<std::uint64_t>(lock));
}

}  // namespace
}  // namespace heddle::runtime

using namespace heddle::runtime;

INTERPOSE(int, pthread_mutex_init, pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) {
  const int result = REAL(pthread_mutex_init)(mutex, attributes);
  if (current_thread != nullptr && result == 0) define_mutex(mutex);
  return result;
}

INTERPOSE(int, pthread_mutex_destroy, pthread_mutex_t* mutex) {
  AT_GATE_OR(REAL(pthread_mutex_destroy)(mutex));
  const Object* lock = find_object(heddle::ObjectType::lock, address_of(mutex));
  if (lock != nullptr && lock->owner != nullptr) return EBUSY;
  forget_object(heddle::ObjectType::lock, address_of(mutex));
  return 0;
}

INTERPOSE(int, pthread_mutex_lock, pthread_mutex_t* mutex) {
  AT_GATE_OR(REAL(pthread_mutex_lock)(mutex));
  return acquire(call, mutex_at(mutex));
}

INTERPOSE(int, pthread_mutex_trylock, pthread_mutex_t* mutex) {
  AT_GATE_OR(REAL(pthread_mutex_trylock)(mutex));
  return try_acquire(call, mutex_at(mutex));
}

INTERPOSE(int, pthread_mutex_timedlock, pthread_mutex_t* mutex, const timespec* until) {
  AT_GATE_OR(REAL(pthread_mutex_timedlock)(mutex, until));
  return acquire(call, mutex_at(mutex), time_of_reading(CLOCK_REALTIME, *until));
}

INTERPOSE(int, pthread_mutex_clocklock, pthread_mutex_t* mutex, clockid_t clock,
          const timespec* until) {
  AT_GATE_OR(REAL(pthread_mutex_clocklock)(mutex, clock, until));
  return acquire(call, mutex_at(mutex), time_of_reading(clock, *until));
}

INTERPOSE(int, pthread_mutex_unlock, pthread_mutex_t* mutex) {
  AT_GATE_OR(REAL(pthread_mutex_unlock)(mutex));
  return release(call, mutex_at(mutex));
}

INTERPOSE(int, pthread_mutex_consistent, pthread_mutex_t* mutex) {
  AT_GATE_OR(REAL(pthread_mutex_consistent)(mutex));
  return 0;
}

INTERPOSE(int, pthread_spin_init, pthread_spinlock_t* lock, int shared) {
  const int result = REAL(pthread_spin_init)(lock, shared);
  if (current_thread != nullptr) {
    define_object(heddle::ObjectType::lock, reinterpret_cast<std::uint64_t>(lock));
  }
  return result;
}

INTERPOSE(int, pthread_spin_destroy, pthread_spinlock_t* lock) {
  AT_GATE_OR(REAL(pthread_spin_destroy)(lock));
  forget_object(heddle::ObjectType::lock, reinterpret_cast<std::uint64_t>(lock));
  return 0;
}

INTERPOSE(int, pthread_spin_lock, pthread_spinlock_t* lock) {
  AT_GATE_OR(REAL(pthread_spin_lock)(lock));
  return acquire(call, spin_lock_at(lock));
}

INTERPOSE(int, pthread_spin_trylock, pthread_spinlock_t* lock) {
  AT_GATE_OR(REAL(pthread_spin_trylock)(lock));
  return try_acquire(call, spin_lock_at(lock));
}

INTERPOSE(int, pthread_spin_unlock, pthread_spinlock_t* lock) {
  AT_GATE_OR(REAL(pthread_spin_unlock)(lock));
  return release(call, spin_lock_at(lock));
}
