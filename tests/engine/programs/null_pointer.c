// finds: crash
#include <stdatomic.h>

#include "threads.h"

static int value;
static _Atomic(int*) pointer;

static void* run(void* number) {
  if (number == NULL) {
    atomic_store(&pointer, &value);
  } else {
    *(volatile int*)atomic_load(&pointer) = 1;
  }
  return NULL;
}

int main(void) {
  run_threads(2, run);
  return 0;
}
