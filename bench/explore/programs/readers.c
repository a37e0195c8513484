// One writer and N readers of one variable.
#include <stdatomic.h>
#include <stdlib.h>

#include "threads.h"

static atomic_int x;

static void* run(void* number) {
  if (number == NULL) {
    atomic_store(&x, 1);
  } else {
    (void)atomic_load(&x);
  }
  return NULL;
}

int main(int count, char** arguments) {
  run_threads(count > 1 ? atoi(arguments[1]) + 1 : 16, run);
  return 0;
}
