// model: epor/last-zero.hm N=5
#include <stdatomic.h>

#include "threads.h"

enum { N = 5 };
static atomic_int a[N];

static void* run(void* number) {
  const intptr_t i = (intptr_t)number;
  if (i != 0) {
    atomic_store(&a[i], atomic_load(&a[i - 1]) + 1);
    return NULL;
  }
  for (int j = N - 1; j > 0 && atomic_load(&a[j]) == 0; --j) continue;
  return NULL;
}

int main(void) {
  run_threads(N, run);
  return 0;
}
