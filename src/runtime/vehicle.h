// Vehicles carry the program's threads: what the gate needs to let one go on instead of
// another. Operating-system threads are one vehicle; fibers on one of them can be another,
// by defining the same functions.
#pragma once

#include <pthread.h>

#include "runtime/thread.h"

namespace heddle::runtime {

// Lets `to` go on, and returns when it is the turn of `from` again. When `from` was asked
// to choose for the others instead (give_duty), it does so before it returns.
void switch_thread(Thread& from, Thread& to);
// Lets `to` go on; the calling thread goes its own way.
void give_turn(Thread& to);
// Asks a thread that stands at the gate to choose who goes on.
void give_duty(Thread& to);
// Returns when it is the thread's turn.
void await_turn(Thread& self);

// Starts a thread that calls thread_main(thread); an error number.
int start_vehicle(Thread& thread, const pthread_attr_t* attributes);
// Waits until a finished thread has left its stack.
void reap_vehicle(Thread& thread);

// The life of a thread on its vehicle, from its begin to its end, with frames where they always
// are (thread_life.cpp).
void thread_main(Thread& self);

}  // namespace heddle::runtime
