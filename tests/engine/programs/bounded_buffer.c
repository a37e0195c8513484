// finds: nothing
#include "threads.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int count;

static void* run(void* number) {
  const int produces = number == NULL;
  for (int k = 0; k < (produces ? 2 : 1); ++k) {
    pthread_mutex_lock(&m);
    while (count == (produces ? 1 : 0)) pthread_cond_wait(produces ? &not_full : &not_empty, &m);
    count += produces ? 1 : -1;
    assert(count >= 0 && count <= 1);
    pthread_cond_signal(produces ? &not_empty : &not_full);
    pthread_mutex_unlock(&m);
  }
  return NULL;
}

int main(void) {
  run_threads(3, run);
  return 0;
}
