// finds: nothing
#include <stdatomic.h>
#include <stdlib.h>

#include "threads.h"

static _Atomic(int*) box;

static void* run(void* number) {
  int* block = malloc(sizeof(int));
  *block = (int)(intptr_t)number;
  free(atomic_exchange(&box, block));
  return NULL;
}

int main(void) {
  run_threads(3, run);
  free(box);
  return 0;
}
