// model: epor/ring-extended.hm N=3
#include <stdatomic.h>

#include "threads.h"

enum { N = 3 };
static atomic_int x[N];

static void* node(void* number) {
  const intptr_t i = (intptr_t)number;
  atomic_store(&x[(i + 1) % N], atomic_load(&x[i]));
  atomic_store(&x[(i + 1) % N], atomic_load(&x[i]));
  return NULL;
}

int main(void) {
  run_threads(N, node);
  return 0;
}
