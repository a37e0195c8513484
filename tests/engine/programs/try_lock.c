// finds: nothing
#include <sched.h>

#include "threads.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void* run(void* unused) {
  (void)unused;
  while (pthread_mutex_trylock(&m) != 0) sched_yield();
  ++count;
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  run_threads(2, run);
  assert(count == 2);
  return 0;
}
