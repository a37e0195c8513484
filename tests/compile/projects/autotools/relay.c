#include "relay.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int run;

static void* runner(void* argument) {
  pthread_mutex_lock(&lock);
  ++run;
  pthread_mutex_unlock(&lock);
  return argument;
}

void carry_baton(int runners) {
  pthread_t threads[8];
  for (int i = 0; i < runners; ++i) pthread_create(&threads[i], 0, runner, 0);
  for (int i = 0; i < runners; ++i) pthread_join(threads[i], 0);
}

int laps(void) { return run; }
