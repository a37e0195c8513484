// finds: nothing
#include <stdatomic.h>

#include "threads.h"

static atomic_int x;

static void* run(void* unused) {
  (void)unused;
  atomic_store(&x, 1);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  pthread_detach(thread);
  assert(atomic_load(&x) == 0 || atomic_load(&x) == 1);
  return 0;
}
