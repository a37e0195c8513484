// What the interposed functions share: passing the gate with an operation on an object.
#pragma once

#include <cerrno>

#include "runtime/exploration.h"
#include "runtime/gate.h"
#include "runtime/object.h"
#include "runtime/race_detector.h"
#include "runtime/virtual_time.h"

namespace heddle::runtime {

// An interposed function that the calling thread is in: who it is, and from where in the
// program it was called. Keeps errno.
struct Call {
  Thread& self;
  std::uint64_t pc;
  int saved_errno;

  Call(Thread& thread, std::uint64_t caller)
      : self(thread), pc(instrumented_site(thread, caller)), saved_errno(errno) {}
  ~Call() { errno = saved_errno; }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  // Stands before an operation that can always happen.
  void pass(EventKind kind, Object* object = nullptr) {
    Operation operation;
    operation.kind = kind;
    operation.object = object;
    operation.pc = pc;
    gate.pass(self, operation);
  }
  // Waits until it can happen; false when the deadline came first.
  bool wait(EventKind kind, Object& object, std::uint64_t deadline = kNever,
            std::uint32_t size = 0) {
    Operation operation;
    operation.kind = kind;
    operation.waits = true;
    operation.object = &object;
    operation.deadline = deadline;
    operation.size = size;
    operation.pc = pc;
    return gate.pass(self, operation);
  }
  void log(EventKind kind, Object& object, std::uint8_t detail = 0) {
    if (exploring) order_by_event(self, kind, object);
    event_log.event(self, kind, object, pc, detail);
  }
  // An event on a descriptor that stands for a part of libc.
  void touch(wire::SpecialDescriptor which) {
    Object& object = special_descriptor(which);
    pass(EventKind::io, &object);
    log(EventKind::io, object);
  }
};

// Acts on a pending cancellation; may not return.
void cancellation_point(Thread& self);

// The calling thread, unless what it does is libc's own affair.
Thread* observed();
// An access that no hook tells of; nobody else goes on before it.
void log_access(Thread& self, EventKind kind, const void* address, std::size_t size,
                std::uint64_t pc);

template <typename T>
std::uint64_t address_of(const T* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

}  // namespace heddle::runtime

// The calling thread, or null when the program runs by itself.
#define AT_GATE_OR(forward)                                             \
  ::heddle::runtime::Thread* gated = ::heddle::runtime::current_thread; \
  if (gated == nullptr || gated->inside > 0) return forward;            \
  ::heddle::runtime::Call call(*gated, CALLER)
