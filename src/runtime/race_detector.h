// Data races of an explored execution, by happens-before as C++ defines it.
//
// Every thread has a vector clock; synchronisation carries clocks from thread to thread: locks,
// semaphores, barriers, once, starting and joining threads, and atomics as far as their memory
// orders say so. Relaxed ones carry nothing but what fences around them do. For every eight
// bytes of memory it is remembered who accessed which of them at which time of its own; two
// accesses of different threads, not both of them reads, of which neither happens before the
// other are a race, in whatever order they came [FastTrack, PLDI 2009]. Freeing a block is a
// write to all of it, and every access after that is a mistake of its own.
//
// Up to 64 threads; an execution with more is not watched. At most seven accesses are remembered
// per eight bytes: of more threads that only read, the oldest are forgotten.
#pragma once

#include <cstdint>

#include "runtime/object.h"
#include "runtime/thread.h"

namespace heddle::runtime {

// Forgets everything: a new execution begins with main alone.
void begin_watching(Thread& main_thread);

// What is remembered at some moment. Clocks are not part of it: they are memory of the runtime.
struct WatchedCells {
  void* cells = nullptr;
  std::uint64_t count = 0;
  std::uint64_t capacity = 0;
};
void keep_watched(WatchedCells& kept);
// Forgets everything else.
void watch_again(const WatchedCells& kept);

void watch_access(Thread& thread, EventKind kind, std::uint64_t address, std::uint64_t size,
                  std::uint64_t pc);
void watch_allocation(std::uint64_t address, std::uint64_t size);
void watch_free(Thread& thread, std::uint64_t address, std::uint64_t size, std::uint64_t pc);

// What orders: an event on an object, an atomic operation, a fence, starting and joining.
void order_by_event(Thread& thread, EventKind kind, Object& object);
void order_by_atomic(Thread& thread, EventKind kind, std::uint64_t address, int order);
void order_by_fence(Thread& thread, int order);
void order_by_fork(Thread& parent, Thread& child);
void order_by_join(Thread& thread, const Thread& other);

}  // namespace heddle::runtime
