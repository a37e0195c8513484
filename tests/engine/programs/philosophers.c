// finds: nothing
#include "threads.h"

enum { N = 3 };
static pthread_mutex_t forks[N] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};

static void* philosopher(void* number) {
  const intptr_t i = (intptr_t)number;
  const intptr_t first = i == N - 1 ? 0 : i;
  const intptr_t second = i == N - 1 ? N - 1 : i + 1;
  pthread_mutex_lock(&forks[first]);
  pthread_mutex_lock(&forks[second]);
  pthread_mutex_unlock(&forks[second]);
  pthread_mutex_unlock(&forks[first]);
  return NULL;
}

int main(void) {
  run_threads(N, philosopher);
  return 0;
}
