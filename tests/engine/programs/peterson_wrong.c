// finds: assertion
#include <stdatomic.h>

#include "threads.h"

static atomic_int interested[2];
static atomic_int turn;
static atomic_int inside;

// Gives the other one precedence before it says that it is interested.
static void* process(void* number) {
  const int i = (int)(intptr_t)number;
  atomic_store(&turn, 1 - i);
  atomic_store(&interested[i], 1);
  while (atomic_load(&interested[1 - i]) && atomic_load(&turn) == 1 - i) continue;
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  atomic_store(&interested[i], 0);
  return NULL;
}

int main(void) {
  run_threads(2, process);
  return 0;
}
