// syscall(SYS_futex): what latches, semaphores and atomic waiting of the C++ library are
// made of.
//
// The kernel keeps a queue of waiters for each word, under a lock: it compares the word and
// blocks in one step, and wakes in one step. Exactly that is logged: the queue is a
// condition, with a lock of its own. A wait is acquire, atomic read, wait, wake, acquire,
// release; a wake is acquire, notify, release. So a reordering cannot lose a wake-up that
// the kernel would not lose.
#include <climits>

#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/futex.h"
#include "runtime/interpose.h"
#include "runtime/vehicle.h"

namespace heddle::runtime {
namespace {

struct FutexCall {
  std::uint32_t* word;
  int operation;
  std::uint32_t value;
  const timespec* timeout;
};

Object& queue_at(std::uint32_t* word) {
  Object& queue = object_at(ObjectType::condition, address_of(word));
  if (queue.queue_lock == nullptr)
    queue.queue_lock = &object_at(ObjectType::lock, address_of(word));
  return queue;
}

std::uint64_t deadline_of(const FutexCall& futex) {
  if (futex.timeout == nullptr) return kNever;
  const clockid_t clock =
      (futex.operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  const bool absolute = (futex.operation & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
  return absolute ? time_of_reading(clock, *futex.timeout) : now() + nanoseconds_of(*futex.timeout);
}

long block(Call& call, Object& queue, std::uint64_t deadline) {
  queue.waiters.add(&call.self);
  const bool woken = call.wait(EventKind::wake, queue, deadline);
  if (woken) {
    queue.waiters.wake(&call.self);
  } else {
    queue.waiters.time_out(&call.self);
  }
  call.log(woken ? EventKind::wake : EventKind::timeout, queue);
  call.log(EventKind::acquire, *queue.queue_lock);
  call.log(EventKind::release, *queue.queue_lock);
  return woken ? 0 : -ETIMEDOUT;
}

long wait(Call& call, const FutexCall& futex) {
  Object& queue = queue_at(futex.word);
  call.pass(EventKind::wait, &queue);
  const std::uint32_t seen = __atomic_load_n(futex.word, __ATOMIC_SEQ_CST);
  call.log(EventKind::acquire, *queue.queue_lock);
  event_log.atomic(call.self, EventKind::atomic_read, address_of(futex.word), 4, call.pc,
                   static_cast<int>(MemoryOrder::seq_cst), seen);
  if (seen != futex.value) {
    call.log(EventKind::release, *queue.queue_lock);
    return -EAGAIN;
  }
  if (exploring) order_by_event(call.self, EventKind::wait, *queue.queue_lock);
  event_log.wait(call.self, queue, *queue.queue_lock, call.pc);
  return block(call, queue, deadline_of(futex));
}

long wake(Call& call, const FutexCall& futex) {
  Object& queue = queue_at(futex.word);
  call.pass(EventKind::notify, &queue);
  const std::size_t sleeping = queue.waiters.unmarked();
  call.log(EventKind::acquire, *queue.queue_lock);
  if (futex.value >= sleeping) {
    queue.waiters.notify_all();
    call.log(EventKind::notify_all, queue);
  } else {
    for (std::uint32_t i = 0; i < futex.value; ++i) {
      queue.waiters.notify();
      call.log(EventKind::notify, queue);
    }
  }
  call.log(EventKind::release, *queue.queue_lock);
  return static_cast<long>(futex.value < sleeping ? futex.value : sleeping);
}

long do_futex(Call& call, const FutexCall& futex) {
  switch (futex.operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET: return wait(call, futex);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET: return wake(call, futex);
    default:
      fail(
          "the program uses a futex operation other than waiting and waking; Heddle "
          "cannot schedule it");
  }
}

}  // namespace
}  // namespace heddle::runtime

using namespace heddle::runtime;

INTERPOSE(long, syscall, long number, ...) {
  va_list list;
  va_start(list, number);
  long a[6];
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  Thread* self = current_thread;
  if (self == nullptr || self->inside > 0 || number != SYS_futex) {
    if (self != nullptr) go_home(*self);  // it may be about the kernel's thread
    return REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  }
  Call call(*self, CALLER);
  const long result =
      do_futex(call, {reinterpret_cast<std::uint32_t*>(a[0]), static_cast<int>(a[1]),
                      static_cast<std::uint32_t>(a[2]), reinterpret_cast<const timespec*>(a[3])});
  if (result >= 0) return result;
  call.saved_errno = static_cast<int>(-result);
  return -1;
}
