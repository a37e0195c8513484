// finds: memory
#include <stdatomic.h>
#include <stdlib.h>

#include "threads.h"

static int* box;
static atomic_int freed;

static void* run(void* number) {
  if (number == NULL) {
    free(box);
    atomic_store(&freed, 1);
  } else if (atomic_load(&freed) == 1) {
    *box = 1;
  }
  return NULL;
}

int main(void) {
  box = malloc(sizeof(int));
  run_threads(2, run);
  return 0;
}
