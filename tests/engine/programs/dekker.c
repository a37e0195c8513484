// finds: nothing
#include <stdatomic.h>

#include "threads.h"

static atomic_int wants[2];
static atomic_int turn;
static atomic_int inside;

static void* process(void* number) {
  const int i = (int)(intptr_t)number;
  atomic_store(&wants[i], 1);
  while (atomic_load(&wants[1 - i])) {
    if (atomic_load(&turn) == i) continue;
    atomic_store(&wants[i], 0);
    while (atomic_load(&turn) != i) continue;
    atomic_store(&wants[i], 1);
  }
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  atomic_store(&turn, 1 - i);
  atomic_store(&wants[i], 0);
  return NULL;
}

int main(void) {
  run_threads(2, process);
  return 0;
}
