// Condition variables of pthreads.
#include <pthread.h>

#include "runtime/condition_operations.h"

namespace heddle::runtime {

Object& mutex_at(pthread_mutex_t* mutex);  // interpose_mutex.cpp

namespace {

// The clock that pthread_condattr_setclock chose, where glibc keeps it.
clockid_t clock_of(const pthread_cond_t* condition) {
  return (condition->__data.__wrefs & 2) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

}  // namespace
}  // namespace heddle::runtime

using namespace heddle::runtime;
using heddle::EventKind;

INTERPOSE(int, pthread_cond_init, pthread_cond_t* condition, const pthread_condattr_t* attributes) {
  const int result = REAL(pthread_cond_init)(condition, attributes);
  if (current_thread != nullptr && result == 0) {
    define_object(heddle::ObjectType::condition, address_of(condition));
  }
  return result;
}

INTERPOSE(int, pthread_cond_destroy, pthread_cond_t* condition) {
  AT_GATE_OR(REAL(pthread_cond_destroy)(condition));
  // Those who were woken may not have left yet; their object stays as long as they need it.
  forget_object(heddle::ObjectType::condition, address_of(condition));
  return 0;
}

INTERPOSE(int, pthread_cond_wait, pthread_cond_t* condition, pthread_mutex_t* mutex) {
  AT_GATE_OR(REAL(pthread_cond_wait)(condition, mutex));
  const int result = wait_on_condition(call, address_of(condition), mutex_at(mutex), kNever);
  cancellation_point(call.self);
  return result;
}

INTERPOSE(int, pthread_cond_timedwait, pthread_cond_t* condition, pthread_mutex_t* mutex,
          const timespec* until) {
  AT_GATE_OR(REAL(pthread_cond_timedwait)(condition, mutex, until));
  return wait_on_condition(call, address_of(condition), mutex_at(mutex),
                           time_of_reading(clock_of(condition), *until));
}

INTERPOSE(int, pthread_cond_clockwait, pthread_cond_t* condition, pthread_mutex_t* mutex,
          clockid_t clock, const timespec* until) {
  AT_GATE_OR(REAL(pthread_cond_clockwait)(condition, mutex, clock, until));
  return wait_on_condition(call, address_of(condition), mutex_at(mutex),
                           time_of_reading(clock, *until));
}

INTERPOSE(int, pthread_cond_signal, pthread_cond_t* condition) {
  AT_GATE_OR(REAL(pthread_cond_signal)(condition));
  notify_condition(call, address_of(condition), EventKind::notify);
  return 0;
}

INTERPOSE(int, pthread_cond_broadcast, pthread_cond_t* condition) {
  AT_GATE_OR(REAL(pthread_cond_broadcast)(condition));
  notify_condition(call, address_of(condition), EventKind::notify_all);
  return 0;
}
