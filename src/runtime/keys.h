// Thread-specific data, for pthreads and C11 alike.
#pragma once

#include <pthread.h>

#include "runtime/thread.h"

namespace heddle::runtime {

int create_key(pthread_key_t* key, void (*destructor)(void*));
int delete_key(pthread_key_t key);
void* key_value(Thread& self, pthread_key_t key);
int set_key_value(Thread& self, pthread_key_t key, const void* value);

}  // namespace heddle::runtime
