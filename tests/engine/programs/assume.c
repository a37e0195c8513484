// finds: nothing
#include <stdatomic.h>

#include "threads.h"

extern void __VERIFIER_assume(int condition);

static atomic_int x;

static void* run(void* number) {
  if (number == NULL) {
    atomic_store(&x, 1);
  } else {
    __VERIFIER_assume(atomic_load(&x) == 1);
    assert(atomic_load(&x) == 1);
  }
  return NULL;
}

int main(void) {
  run_threads(2, run);
  return 0;
}
