#include "runtime/lock_operations.h"

namespace heddle::runtime {

void take(Call& call, Object& lock, std::uint8_t detail) {
  lock.owner = &call.self;
  ++lock.depth;
  call.log(EventKind::acquire, lock, detail);
}

int acquire(Call& call, Object& lock, std::uint64_t deadline) {
  if (lock.checks_errors && lock.owner == &call.self) {
    call.pass(EventKind::acquire, &lock);
    call.log(EventKind::failed_acquire, lock);
    return EDEADLK;
  }
  if (!call.wait(EventKind::acquire, lock, deadline)) {
    call.log(EventKind::failed_acquire, lock);
    return ETIMEDOUT;
  }
  take(call, lock, deadline == kNever ? 0 : kTried);
  return 0;
}

int try_acquire(Call& call, Object& lock) {
  call.pass(EventKind::acquire, &lock);
  if (!lock.free_for(&call.self)) {
    call.log(EventKind::failed_acquire, lock);
    return EBUSY;
  }
  take(call, lock, kTried);
  return 0;
}

int release(Call& call, Object& lock) {
  call.pass(EventKind::release, &lock);
  if (lock.owner != &call.self) return EPERM;
  if (--lock.depth == 0) lock.owner = nullptr;
  call.log(EventKind::release, lock);
  return 0;
}

int acquire_as_reader(Call& call, Object& lock, std::uint64_t deadline) {
  if (lock.owner == &call.self) {
    call.pass(EventKind::reader_acquire, &lock);
    call.log(EventKind::failed_reader_acquire, lock);
    return EDEADLK;
  }
  if (!call.wait(EventKind::reader_acquire, lock, deadline)) {
    call.log(EventKind::failed_reader_acquire, lock);
    return ETIMEDOUT;
  }
  ++lock.readers;
  call.log(EventKind::reader_acquire, lock, deadline == kNever ? 0 : kTried);
  return 0;
}

int try_acquire_as_reader(Call& call, Object& lock) {
  call.pass(EventKind::reader_acquire, &lock);
  if (!lock.free_for_reader()) {
    call.log(EventKind::failed_reader_acquire, lock);
    return EBUSY;
  }
  ++lock.readers;
  call.log(EventKind::reader_acquire, lock, kTried);
  return 0;
}

int release_either(Call& call, Object& lock) {
  if (lock.owner == &call.self) return release(call, lock);
  call.pass(EventKind::reader_release, &lock);
  if (lock.readers == 0) return EPERM;
  --lock.readers;
  call.log(EventKind::reader_release, lock);
  return 0;
}

}  // namespace heddle::runtime
