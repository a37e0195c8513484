// finds: nothing
#include <stdatomic.h>

#include "threads.h"

static pthread_barrier_t all;
static int before[2];

static void* run(void* number) {
  const intptr_t i = (intptr_t)number;
  before[i] = 1;
  pthread_barrier_wait(&all);
  assert(before[1 - i] == 1);
  return NULL;
}

int main(void) {
  pthread_barrier_init(&all, NULL, 2);
  run_threads(2, run);
  return 0;
}
