// Starts one thread per number below `count`, each with its number, and joins them all.
#pragma once

#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static void run_threads(int count, void* (*function)(void*)) {
  pthread_t threads[32];
  for (intptr_t i = 0; i < count; ++i) pthread_create(&threads[i], NULL, function, (void*)i);
  for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
}
