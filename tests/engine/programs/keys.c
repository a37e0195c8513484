// finds: nothing
#include <stdatomic.h>
#include <stdlib.h>

#include "threads.h"

static pthread_key_t key;
static atomic_int destroyed;

static void destroy(void* value) {
  free(value);
  atomic_fetch_add(&destroyed, 1);
}

static void* run(void* unused) {
  (void)unused;
  assert(pthread_getspecific(key) == NULL);
  pthread_setspecific(key, malloc(8));
  return NULL;
}

int main(void) {
  pthread_key_create(&key, destroy);
  run_threads(2, run);
  assert(destroyed == 2);
  return 0;
}
