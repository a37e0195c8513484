// options: --nondet=2..4
// traces: 9
// Two threads, each with one of three values; nothing else depends on the order.
#include "threads.h"

extern int __VERIFIER_nondet_int(void);
static int chosen[2];

static void* run(void* number) {
  chosen[(intptr_t)number] = __VERIFIER_nondet_int();
  return NULL;
}

int main(void) {
  run_threads(2, run);
  assert(chosen[0] + chosen[1] >= 4 && chosen[0] + chosen[1] <= 8);
  return 0;
}
