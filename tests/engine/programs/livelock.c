// finds: livelock
#include <stdatomic.h>

#include "threads.h"

static atomic_int ready;

static void* run(void* number) {
  if (number == NULL) {
    atomic_store(&ready, 2);
  } else {
    while (atomic_load(&ready) != 1) continue;
  }
  return NULL;
}

int main(void) {
  run_threads(2, run);
  return 0;
}
