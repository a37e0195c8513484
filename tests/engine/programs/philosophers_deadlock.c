// finds: deadlock
#include "threads.h"

enum { N = 3 };
static pthread_mutex_t forks[N] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};

static void* philosopher(void* number) {
  const intptr_t i = (intptr_t)number;
  pthread_mutex_lock(&forks[i]);
  pthread_mutex_lock(&forks[(i + 1) % N]);
  pthread_mutex_unlock(&forks[(i + 1) % N]);
  pthread_mutex_unlock(&forks[i]);
  return NULL;
}

int main(void) {
  run_threads(N, philosopher);
  return 0;
}
