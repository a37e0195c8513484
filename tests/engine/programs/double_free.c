// finds: memory
#include <stdatomic.h>
#include <stdlib.h>

#include "threads.h"

static _Atomic(int*) box;

static void* run(void* unused) {
  (void)unused;
  int* block = atomic_load(&box);
  atomic_store(&box, NULL);
  free(block);
  return NULL;
}

int main(void) {
  atomic_store(&box, malloc(sizeof(int)));
  run_threads(2, run);
  return 0;
}
