// The life of a thread: begin, the program's function, destructors of its thread-local
// objects and keys, end. Also how it is left early.
#pragma once

#include "runtime/thread.h"

namespace heddle::runtime {

// Calls the destructors of thread_local objects, the latest first.
void run_thread_exits(Thread& self);
// Unwinds to the thread's entry, through the destructors and handlers of its frames.
[[noreturn]] void unwind_thread(Thread& self, void* result);
// Ends the process after the last thread is gone, or the thread.
void end_thread(Thread& self);
// Threads that are over and that nobody will join leave their stacks.
void reap_detached_threads();
void run_key_destructors(Thread& self);

}  // namespace heddle::runtime
