// traces: 6
// The same by a function whose name says that nobody interrupts it.
#include "threads.h"

static int x;

static void __VERIFIER_atomic_add(int number) { x = 2 * x + number; }

static void* run(void* number) {
  __VERIFIER_atomic_add((int)(intptr_t)number);
  return NULL;
}

int main(void) {
  run_threads(3, run);
  assert(x >= 4 && x <= 11);
  return 0;
}
