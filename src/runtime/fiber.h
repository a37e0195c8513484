// Fibers: threads that are switched by hand, all on one thread of the operating system.
//
// A fiber that does not run is a stack with the registers on top that a call preserves, and a
// thread pointer: the FS base, by which code finds its thread-local variables, errno and the
// exceptions in flight. Each fiber has one of a real thread that sleeps for ever
// (parked_threads.h), so libc finds everything as it expects. A switch costs some twenty
// instructions, one of which sets FS; where the processor or the kernel does not allow that
// instruction, it is a system call instead.
#pragma once

#include <cstdint>

namespace heddle::runtime {

struct Fiber {
  void* stack_pointer = nullptr;
  std::uint64_t thread_pointer = 0;
};

// Saves the registers in `from`, and goes on where `to` was left.
extern "C" void heddle_switch_stacks(void** from, void* to);

// Whether the FS base can be set by an instruction. To be asked once, before the first switch.
bool find_out_how_to_set_thread_pointer();
extern bool sets_thread_pointer_by_call;
void set_thread_pointer_by_call(std::uint64_t thread_pointer);

[[gnu::always_inline]] inline void set_thread_pointer(std::uint64_t thread_pointer) {
  if (sets_thread_pointer_by_call) [[unlikely]] {
    set_thread_pointer_by_call(thread_pointer);
  } else {
    asm volatile("wrfsbase %0" : : "r"(thread_pointer) : "memory");
  }
}

[[gnu::always_inline]] inline void switch_fiber(Fiber& from, const Fiber& to) {
  set_thread_pointer(to.thread_pointer);
  heddle_switch_stacks(&from.stack_pointer, to.stack_pointer);
}

// A fiber that will call function(argument) on that stack; the function must not return.
void prepare_fiber(Fiber& fiber, std::uint64_t stack_high, void (*function)(void*), void* argument);

}  // namespace heddle::runtime
