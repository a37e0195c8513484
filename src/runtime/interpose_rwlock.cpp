// Readers-writer locks. No fairness and no preference: who comes next is the policy's choice.
#include <pthread.h>

#include "runtime/lock_operations.h"

namespace heddle::runtime {
namespace {

Object& define_rwlock(pthread_rwlock_t* lock) {
  Object& object = define_object(ObjectType::lock, address_of(lock), LockKind::readers_writer);
  object.checks_errors = true;  // glibc refuses a writer that holds it already
  return object;
}

Object& rwlock_at(pthread_rwlock_t* lock) {
  Object* known = find_object(ObjectType::lock, address_of(lock));
  return known != nullptr ? *known : define_rwlock(lock);
}

}  // namespace
}  // namespace heddle::runtime

using namespace heddle::runtime;

INTERPOSE(int, pthread_rwlock_init, pthread_rwlock_t* lock,
          const pthread_rwlockattr_t* attributes) {
  const int result = REAL(pthread_rwlock_init)(lock, attributes);
  if (current_thread != nullptr && result == 0) define_rwlock(lock);
  return result;
}

INTERPOSE(int, pthread_rwlock_destroy, pthread_rwlock_t* lock) {
  AT_GATE_OR(REAL(pthread_rwlock_destroy)(lock));
  forget_object(heddle::ObjectType::lock, address_of(lock));
  return 0;
}

INTERPOSE(int, pthread_rwlock_rdlock, pthread_rwlock_t* lock) {
  AT_GATE_OR(REAL(pthread_rwlock_rdlock)(lock));
  return acquire_as_reader(call, rwlock_at(lock));
}

INTERPOSE(int, pthread_rwlock_tryrdlock, pthread_rwlock_t* lock) {
  AT_GATE_OR(REAL(pthread_rwlock_tryrdlock)(lock));
  return try_acquire_as_reader(call, rwlock_at(lock));
}

INTERPOSE(int, pthread_rwlock_timedrdlock, pthread_rwlock_t* lock, const timespec* until) {
  AT_GATE_OR(REAL(pthread_rwlock_timedrdlock)(lock, until));
  return acquire_as_reader(call, rwlock_at(lock), time_of_reading(CLOCK_REALTIME, *until));
}

INTERPOSE(int, pthread_rwlock_clockrdlock, pthread_rwlock_t* lock, clockid_t clock,
          const timespec* until) {
  AT_GATE_OR(REAL(pthread_rwlock_clockrdlock)(lock, clock, until));
  return acquire_as_reader(call, rwlock_at(lock), time_of_reading(clock, *until));
}

INTERPOSE(int, pthread_rwlock_wrlock, pthread_rwlock_t* lock) {
  AT_GATE_OR(REAL(pthread_rwlock_wrlock)(lock));
  return acquire(call, rwlock_at(lock));
}

INTERPOSE(int, pthread_rwlock_trywrlock, pthread_rwlock_t* lock) {
  AT_GATE_OR(REAL(pthread_rwlock_trywrlock)(lock));
  return try_acquire(call, rwlock_at(lock));
}

INTERPOSE(int, pthread_rwlock_timedwrlock, pthread_rwlock_t* lock, const timespec* until) {
  AT_GATE_OR(REAL(pthread_rwlock_timedwrlock)(lock, until));
  return acquire(call, rwlock_at(lock), time_of_reading(CLOCK_REALTIME, *until));
}

INTERPOSE(int, pthread_rwlock_clockwrlock, pthread_rwlock_t* lock, clockid_t clock,
          const timespec* until) {
  AT_GATE_OR(REAL(pthread_rwlock_clockwrlock)(lock, clock, until));
  return acquire(call, rwlock_at(lock), time_of_reading(clock, *until));
}

INTERPOSE(int, pthread_rwlock_unlock, pthread_rwlock_t* lock) {
  AT_GATE_OR(REAL(pthread_rwlock_unlock)(lock));
  return release_either(call, rwlock_at(lock));
}
