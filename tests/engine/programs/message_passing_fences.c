// finds: nothing
// Relaxed accesses, ordered by the fences around them.
#include <stdatomic.h>

#include "threads.h"

static int data;
static atomic_int ready;

static void* run(void* number) {
  if (number == NULL) {
    data = 5;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
  } else if (atomic_load_explicit(&ready, memory_order_relaxed) == 1) {
    atomic_thread_fence(memory_order_acquire);
    assert(data == 5);
  }
  return NULL;
}

int main(void) {
  run_threads(2, run);
  return 0;
}
