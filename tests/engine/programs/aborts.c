// finds: assertion
#include <stdatomic.h>
#include <stdlib.h>

#include "threads.h"

static atomic_int x;

static void* run(void* number) {
  if (number == NULL) {
    atomic_store(&x, 1);
  } else if (atomic_load(&x) == 1) {
    abort();
  }
  return NULL;
}

int main(void) {
  run_threads(2, run);
  return 0;
}
