#include "runtime/condition_operations.h"

namespace heddle::runtime {
namespace {

int block_on(Call& call, Object& condition, std::uint64_t deadline) {
  condition.waiters.add(&call.self);
  if (call.wait(EventKind::wake, condition, deadline)) {
    condition.waiters.wake(&call.self);
    call.log(EventKind::wake, condition);
    return 0;
  }
  condition.waiters.time_out(&call.self);
  call.log(EventKind::timeout, condition);
  return ETIMEDOUT;
}

}  // namespace

int wait_on_condition(Call& call, std::uint64_t condition, Object& lock, std::uint64_t deadline) {
  Object& object = object_at(ObjectType::condition, condition);
  Operation wait;
  wait.kind = EventKind::wait;
  wait.object = &object;
  wait.lock = &lock;
  wait.pc = call.pc;
  gate.pass(call.self, wait);
  if (lock.owner != &call.self) return EPERM;
  if (--lock.depth == 0) lock.owner = nullptr;
  if (exploring) order_by_event(call.self, EventKind::wait, lock);
  event_log.wait(call.self, object, lock, call.pc);
  const int result = block_on(call, object, deadline);
  call.wait(EventKind::acquire, lock);
  take(call, lock);
  return result;
}

void notify_condition(Call& call, std::uint64_t condition, EventKind kind) {
  Object& object = object_at(ObjectType::condition, condition);
  call.pass(kind, &object);
  if (kind == EventKind::notify) {
    object.waiters.notify();
  } else {
    object.waiters.notify_all();
  }
  call.log(kind, object);
}

}  // namespace heddle::runtime
