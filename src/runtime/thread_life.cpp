#include "runtime/thread_life.h"

#include <cstdlib>

#include <setjmp.h>
#include <unwind.h>

#include "runtime/call_on_stack.h"
#include "runtime/interpose.h"
#include "runtime/stack_slot.h"
#include "runtime/stop_point.h"
#include "runtime/thread_locals.h"
#include "runtime/vehicle.h"

namespace heddle::runtime {
namespace {

Array<Thread*> unreaped;  // over, detached, and perhaps still on their way out

_Unwind_Reason_Code stop_at_entry(int, _Unwind_Action actions, _Unwind_Exception_Class,
                                  _Unwind_Exception*, _Unwind_Context* context, void* argument) {
  Thread& self = *static_cast<Thread*>(argument);
  const bool at_end = (actions & _UA_END_OF_STACK) != 0;
  const std::uint64_t frame = _Unwind_GetCFA(context);
  if (!self.cleanups.empty() && (at_end || frame > address_of(self.cleanups.back()))) {
    __pthread_unwind_buf_t* cleanup = self.cleanups.back();
    self.cleanups.pop();
    ::_longjmp(reinterpret_cast<__jmp_buf_tag*>(cleanup), 1);
  }
  if (at_end || frame > self.entry_frame) __builtin_longjmp(self.entry_jump, 1);
  return _URC_NO_REASON;
}

void swallowed(_Unwind_Reason_Code, _Unwind_Exception*) {
  fail(
      "the program caught the end of a thread (pthread_exit or cancellation) and did not "
      "rethrow it");
}

__attribute__((noinline)) void run_routine(Thread& self) {
  self.entry_frame = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
  if (self.c11_routine != nullptr) {
    self.result = reinterpret_cast<void*>(static_cast<long>(self.c11_routine(self.argument)));
  } else {
    self.result = self.routine(self.argument);
  }
}

// The jump comes back to this frame, so the frame has to be there as long as the routine runs.
// clang++ does not see that in __builtin_setjmp, and would give the frame up for a call that is
// the last thing to do.
__attribute__((noinline)) void run_until_exit(Thread& self) {
  if (__builtin_setjmp(self.entry_jump) == 0) run_routine(self);
  asm volatile("" ::: "memory");  // the last thing to do
}

void live(void* argument) {
  Thread& self = *static_cast<Thread*>(argument);
  stop_if_reached(0);
  tell_thread_locals(self);
  event_log.event(self, EventKind::begin, 0, 0);
  run_until_exit(self);
  end_thread(self);
}

}  // namespace

void run_thread_exits(Thread& self) {
  while (!self.exits.empty()) {
    const ThreadExit last = self.exits.back();
    self.exits.pop();
    last.destructor(last.argument);
  }
}

void unwind_thread(Thread& self, void* result) {
  self.result = result;
  self.exiting = true;
  auto& exception = *keep<_Unwind_Exception>();
  exception.exception_cleanup = swallowed;
  _Unwind_ForcedUnwind(&exception, stop_at_entry, &self);
  fail("a thread could not be unwound to its entry");
}

// The last thread of a process whose main thread called pthread_exit ends the process.
void end_thread(Thread& self) {
  self.exiting = true;
  run_thread_exits(self);
  run_key_destructors(self);
  Operation operation;
  operation.kind = EventKind::end;
  gate.pass(self, operation);
  if (gate.live().size() == 1) std::exit(0);
  event_log.event(self, EventKind::end, 0, 0);
  if (self.detached) unreaped.push(&self);
  gate.finish(self);
}

void thread_main(Thread& self) {
  const auto here = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
  // A library that keeps more than its part on the stack is left in peace.
  if (self.frames_top == 0 || here < self.frames_top) {
    live(&self);
  } else {
    heddle_call_on_stack(self.frames_top, live, &self);
  }
}

void reap_detached_threads() {
  for (Thread* thread : unreaped) {
    reap_vehicle(*thread);
    give_slot_back(*thread);
  }
  unreaped.clear();
}

}  // namespace heddle::runtime
