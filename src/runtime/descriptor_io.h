// Input and output at the gate: a call on a descriptor is one operation, which can happen
// when the call would not block. Until then others go on. When nobody can, the gate waits
// for the descriptors, in real time.
#pragma once

#include "runtime/interpose.h"

namespace heddle::runtime {

Object& descriptor_at(int descriptor);
// Waits until poll(2) reports one of the events, and logs the call.
void await_descriptor(Call& call, int descriptor, short events);
// The same for several; false when the deadline (virtual time) came first.
bool await_descriptors(Call& call, pollfd* descriptors, std::uint32_t count, std::uint64_t deadline,
                       Object& object);
// What the kernel read from or wrote to the program's memory.
void log_buffer(Call& call, EventKind kind, const void* buffer, long size);

// Around a call that may block and cannot be polled for. The thread is not at the gate
// while this lives; come back, it logs an event.
class Outside {
 public:
  explicit Outside(Call& call);
  ~Outside();
  Outside(const Outside&) = delete;
  Outside& operator=(const Outside&) = delete;

 private:
  Call& call_;
};

}  // namespace heddle::runtime
