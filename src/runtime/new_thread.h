// Starting, joining and finding threads, for pthreads and C11 alike.
#pragma once

#include <pthread.h>

#include "runtime/interpose.h"

namespace heddle::runtime {

int create_thread(Call& call, pthread_t* handle, const pthread_attr_t* attributes, Thread& thread);
int join_thread(Call& call, pthread_t handle, void** result, std::uint64_t deadline, bool tries);
int detach_thread(pthread_t handle);
Thread* thread_of(pthread_t handle);
void note_handle(Thread& thread);

}  // namespace heddle::runtime
