// N threads in a ring, each copies one variable to the next.
#include <stdatomic.h>
#include <stdlib.h>

#include "threads.h"

static atomic_int x[32];
static int n = 14;

static void* node(void* number) {
  const intptr_t i = (intptr_t)number;
  atomic_store(&x[(i + 1) % n], atomic_load(&x[i]));
  return NULL;
}

int main(int count, char** arguments) {
  if (count > 1) n = atoi(arguments[1]);
  run_threads(n, node);
  return 0;
}
