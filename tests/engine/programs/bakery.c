// finds: nothing
#include <stdatomic.h>

#include "threads.h"

static atomic_int choosing[2];
static atomic_int number[2];
static atomic_int inside;

static void* customer(void* argument) {
  const int i = (int)(intptr_t)argument;
  const int j = 1 - i;
  atomic_store(&choosing[i], 1);
  const int mine = atomic_load(&number[j]) + 1;
  atomic_store(&number[i], mine);
  atomic_store(&choosing[i], 0);
  while (atomic_load(&choosing[j])) continue;
  for (;;) {
    const int other = atomic_load(&number[j]);
    if (other == 0 || other > mine || (other == mine && j > i)) break;
  }
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  atomic_store(&number[i], 0);
  return NULL;
}

int main(void) {
  run_threads(2, customer);
  return 0;
}
