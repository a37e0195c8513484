// model: epor/ring.hm N=6
#include <stdatomic.h>

#include "threads.h"

enum { N = 6 };
static atomic_int x[N];

static void* node(void* number) {
  const intptr_t i = (intptr_t)number;
  atomic_store(&x[(i + 1) % N], atomic_load(&x[i]));
  return NULL;
}

int main(void) {
  run_threads(N, node);
  return 0;
}
