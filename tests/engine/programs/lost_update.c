// finds: assertion
#include <stdatomic.h>

#include "threads.h"

static atomic_int x;

static void* count(void* unused) {
  (void)unused;
  atomic_store(&x, atomic_load(&x) + 1);
  return NULL;
}

int main(void) {
  run_threads(2, count);
  assert(x == 2);
  return 0;
}
