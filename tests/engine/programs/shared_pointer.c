// model: epor/shared-pointer.hm N=2 statement
// One access at a time, the model reads the pointer twice.
#include <stdatomic.h>

#include "threads.h"

enum { N = 2 };
static atomic_int data[2];
static atomic_int pointer[2] = {0, 1};

static void* worker(void* number) {
  const int i = (int)(intptr_t)number;
  for (int k = 0; k < N; ++k) {
    atomic_int* place = &data[atomic_load(&pointer[i])];
    atomic_store(place, atomic_load(place) + 1);
  }
  atomic_store(&pointer[1 - i], i);
  return NULL;
}

int main(void) {
  run_threads(2, worker);
  return 0;
}
