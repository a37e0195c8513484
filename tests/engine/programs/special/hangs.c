// Waits for plain memory to change, which nobody can see.
#include <stdatomic.h>

#include "../threads.h"

static volatile int changed;
static atomic_int x;

static void* run(void* unused) {
  (void)unused;
  atomic_store(&x, 1);
  while (!changed) {
  }
  return NULL;
}

int main(void) {
  run_threads(1, run);
  return 0;
}
