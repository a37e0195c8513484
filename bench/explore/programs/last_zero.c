// N threads that count up from their neighbour, and one that looks for the last zero.
#include <stdatomic.h>
#include <stdlib.h>

#include "threads.h"

static atomic_int a[32];
static int n = 12;

static void* run(void* number) {
  const intptr_t i = (intptr_t)number;
  if (i != 0) {
    atomic_store(&a[i], atomic_load(&a[i - 1]) + 1);
    return NULL;
  }
  for (int j = n - 1; j > 0 && atomic_load(&a[j]) == 0; --j) continue;
  return NULL;
}

int main(int count, char** arguments) {
  if (count > 1) n = atoi(arguments[1]);
  run_threads(n, run);
  return 0;
}
