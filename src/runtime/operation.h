// Operations: what a thread stands in front of.
//
// A thread at the gate has said what it will do next: kind, object, place. Whether that
// can happen now follows from the objects alone (can_happen in gate.cpp), so it is always
// known exactly who could go on, and a deadlock is seen the moment it is there.
#pragma once

#include <cstdint>

#include <poll.h>

#include "trace/event.h"

namespace heddle::runtime {

struct Object;
struct Thread;

inline constexpr std::uint64_t kNever = ~std::uint64_t{0};

struct Operation {
  EventKind kind = EventKind::begin;
  bool waits = false;               // may have to wait; false for a try and for accesses
  Object* object = nullptr;         // a synchronisation object or descriptor
  Object* lock = nullptr;           // of a wait: the lock that it gives up
  Thread* other = nullptr;          // join
  std::uint64_t deadline = kNever;  // in virtual time
  std::uint64_t pc = 0;
  std::uint64_t address = 0;  // accesses
  std::uint32_t size = 0;
  pollfd* descriptors = nullptr;  // io: goes on when one of them is ready
  std::uint32_t descriptor_count = 0;
};

}  // namespace heddle::runtime
