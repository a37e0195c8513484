// traces: 6
// Three threads add in sections that nobody interrupts, in any order.
#include "threads.h"

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int x;

static void* run(void* number) {
  __VERIFIER_atomic_begin();
  x = 2 * x + (int)(intptr_t)number;
  __VERIFIER_atomic_end();
  return NULL;
}

int main(void) {
  run_threads(3, run);
  assert(x >= 4 && x <= 11);
  return 0;
}
