// finds: exit-status
#include <stdatomic.h>

#include "threads.h"

static atomic_int x;

static void* run(void* number) {
  atomic_store(&x, (int)(intptr_t)number);
  return NULL;
}

int main(void) {
  run_threads(2, run);
  return x == 0 ? 3 : 0;
}
