// Vehicles carry the program's threads: what the gate needs to let one go on instead of
// another. See vehicle_os_threads.cpp; exploration has fibers of its own (exploration.h).
#pragma once

#include <pthread.h>

#include "runtime/thread.h"
#include "runtime/wire.h"

namespace heddle::runtime {

// The calling thread is the main thread. To be called once, before any other function here.
void start_driving(Thread& main_thread, const wire::Settings& settings);

// Lets `to` go on, and returns when it is the turn of `from` again. When `from` was asked
// to choose for the others instead (give_duty), it does so before it returns.
void switch_thread(Thread& from, Thread& to);
// Lets `to` go on; the calling thread, which is at home, goes its own way.
void give_turn(Thread& to);
// Lets `to` go on for good: `over` does not come back. Returns only where the thread may go its
// own way, to its end.
void leave_to(Thread& over, Thread& to);
// Asks a thread that stands at the gate to choose who goes on.
void give_duty(Thread& to);
// Returns when it is the thread's turn; the calling thread is at home.
void await_turn(Thread& self);
// The thread, which is at home, takes a turn that nobody has.
void take_turn(Thread& self);

// The thread that has the turn, and all others from now on or only this one for now, run on
// nothing but their own thread of the operating system: for whatever the kernel keeps by thread.
void go_home(Thread& self);
void go_home_for_good(Thread& self);

// Starts a thread that calls thread_main(thread); an error number.
int start_vehicle(Thread& thread, const pthread_attr_t* attributes);
// Waits until a finished thread has left its stack.
void reap_vehicle(Thread& thread);

// The life of a thread on its vehicle, from its begin to its end, with frames where they always
// are (thread_life.cpp).
void thread_main(Thread& self);

}  // namespace heddle::runtime
