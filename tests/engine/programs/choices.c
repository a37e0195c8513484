// finds: assertion
#include <stdatomic.h>
#include <stdbool.h>

#include "threads.h"

extern bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static atomic_int x;

static void* run(void* unused) {
  (void)unused;
  if (__VERIFIER_nondet_bool()) atomic_fetch_add(&x, 1);
  return NULL;
}

int main(void) {
  run_threads(3, run);
  if (x == 3) reach_error();
  return 0;
}
