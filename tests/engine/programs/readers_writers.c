// model: epor/readers-writers.hm N=8
#include <stdatomic.h>

#include "threads.h"

enum { N = 8 };
static atomic_int x;

static void* run(void* number) {
  if (number == NULL) {
    atomic_store(&x, 1);
  } else {
    (void)atomic_load(&x);
  }
  return NULL;
}

int main(void) {
  run_threads(N, run);
  return 0;
}
