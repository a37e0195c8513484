// POSIX semaphores and barriers.
#include <pthread.h>
#include <semaphore.h>

#include "runtime/interpose.h"

namespace heddle::runtime {
namespace {

constexpr std::uint8_t kTried = 1;
constexpr std::uint8_t kSerial = 1;

Object& define_semaphore(sem_t* semaphore) {
  int value = 0;
  REAL(sem_getvalue)(semaphore, &value);
  Object& object = define_object(ObjectType::semaphore, address_of(semaphore), LockKind::mutex,
                                 static_cast<std::uint64_t>(value));
  object.count = static_cast<std::uint32_t>(value);
  return object;
}

Object& semaphore_at(sem_t* semaphore) {
  Object* known = find_object(ObjectType::semaphore, address_of(semaphore));
  return known != nullptr ? *known : define_semaphore(semaphore);
}

int fail_with(Call& call, int error) {
  call.saved_errno = error;
  return -1;
}

int wait_for(Call& call, sem_t* semaphore, std::uint64_t deadline) {
  Object& object = semaphore_at(semaphore);
  if (!call.wait(EventKind::semaphore_wait, object, deadline)) {
    call.log(EventKind::failed_semaphore_wait, object);
    return fail_with(call, ETIMEDOUT);
  }
  --object.count;
  call.log(EventKind::semaphore_wait, object, deadline == kNever ? 0 : kTried);
  cancellation_point(call.self);
  return 0;
}

int try_wait(Call& call, Object& object) {
  call.pass(EventKind::semaphore_wait, &object);
  if (object.count == 0) {
    call.log(EventKind::failed_semaphore_wait, object);
    return fail_with(call, EAGAIN);
  }
  --object.count;
  call.log(EventKind::semaphore_wait, object, kTried);
  return 0;
}

// The last one to arrive opens the barrier for all of its generation.
int arrive(Call& call, Object& barrier) {
  call.pass(EventKind::barrier_arrive, &barrier);
  const std::uint32_t generation = barrier.generation;
  call.log(EventKind::barrier_arrive, barrier);
  const bool last = ++barrier.arrived == barrier.parties;
  if (last) {
    barrier.arrived = 0;
    ++barrier.generation;
  }
  call.wait(EventKind::barrier_leave, barrier, kNever, generation);
  call.log(EventKind::barrier_leave, barrier, last ? kSerial : 0);
  return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

}  // namespace
}  // namespace heddle::runtime

using namespace heddle::runtime;
using heddle::EventKind;
using heddle::ObjectType;

INTERPOSE(int, sem_init, sem_t* semaphore, int shared, unsigned value) {
  const int result = REAL(sem_init)(semaphore, shared, value);
  if (current_thread != nullptr && result == 0) define_semaphore(semaphore);
  return result;
}

INTERPOSE(int, sem_destroy, sem_t* semaphore) {
  AT_GATE_OR(REAL(sem_destroy)(semaphore));
  forget_object(ObjectType::semaphore, address_of(semaphore));
  return 0;
}

INTERPOSE(int, sem_post, sem_t* semaphore) {
  AT_GATE_OR(REAL(sem_post)(semaphore));
  Object& object = semaphore_at(semaphore);
  call.pass(EventKind::semaphore_post, &object);
  ++object.count;
  call.log(EventKind::semaphore_post, object);
  return 0;
}

INTERPOSE(int, sem_wait, sem_t* semaphore) {
  AT_GATE_OR(REAL(sem_wait)(semaphore));
  return wait_for(call, semaphore, kNever);
}

INTERPOSE(int, sem_trywait, sem_t* semaphore) {
  AT_GATE_OR(REAL(sem_trywait)(semaphore));
  return try_wait(call, semaphore_at(semaphore));
}

INTERPOSE(int, sem_timedwait, sem_t* semaphore, const timespec* until) {
  AT_GATE_OR(REAL(sem_timedwait)(semaphore, until));
  return wait_for(call, semaphore, time_of_reading(CLOCK_REALTIME, *until));
}

INTERPOSE(int, sem_clockwait, sem_t* semaphore, clockid_t clock, const timespec* until) {
  AT_GATE_OR(REAL(sem_clockwait)(semaphore, clock, until));
  return wait_for(call, semaphore, time_of_reading(clock, *until));
}

INTERPOSE(int, sem_getvalue, sem_t* semaphore, int* value) {
  AT_GATE_OR(REAL(sem_getvalue)(semaphore, value));
  *value = static_cast<int>(semaphore_at(semaphore).count);
  return 0;
}

INTERPOSE(int, pthread_barrier_init, pthread_barrier_t* barrier,
          const pthread_barrierattr_t* attributes, unsigned count) {
  const int result = REAL(pthread_barrier_init)(barrier, attributes, count);
  if (current_thread != nullptr && result == 0) {
    define_object(ObjectType::barrier, address_of(barrier), heddle::wire::LockKind::mutex, count)
        .parties = count;
  }
  return result;
}

INTERPOSE(int, pthread_barrier_destroy, pthread_barrier_t* barrier) {
  AT_GATE_OR(REAL(pthread_barrier_destroy)(barrier));
  forget_object(ObjectType::barrier, address_of(barrier));
  return 0;
}

INTERPOSE(int, pthread_barrier_wait, pthread_barrier_t* barrier) {
  AT_GATE_OR(REAL(pthread_barrier_wait)(barrier));
  Object* object = find_object(ObjectType::barrier, address_of(barrier));
  return object != nullptr ? arrive(call, *object) : EINVAL;
}
