// finds: deadlock
#include "threads.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

// Waits without asking whether it has happened already.
static void* run(void* number) {
  pthread_mutex_lock(&m);
  if (number == NULL) {
    pthread_cond_signal(&ready);
  } else {
    pthread_cond_wait(&ready, &m);
  }
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  run_threads(2, run);
  return 0;
}
