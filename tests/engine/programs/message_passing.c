// finds: nothing
// Ordered by a release and an acquire.
#include <stdatomic.h>

#include "threads.h"

static int data;
static atomic_int ready;

static void* run(void* number) {
  if (number == NULL) {
    data = 5;
    atomic_store_explicit(&ready, 1, memory_order_release);
  } else if (atomic_load_explicit(&ready, memory_order_acquire) == 1) {
    assert(data == 5);
  }
  return NULL;
}

int main(void) {
  run_threads(2, run);
  return 0;
}
