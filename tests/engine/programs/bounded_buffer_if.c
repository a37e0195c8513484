// finds: assertion
#include "threads.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int count;

// `if` where `while` is needed: another consumer may have been faster.
static void* run(void* number) {
  for (int k = 0; k < (number == NULL ? 2 : 1); ++k) {
    pthread_mutex_lock(&m);
    if (number == NULL) {
      ++count;
      pthread_cond_broadcast(&not_empty);
    } else {
      if (count == 0) pthread_cond_wait(&not_empty, &m);
      --count;
      assert(count >= 0);
    }
    pthread_mutex_unlock(&m);
  }
  return NULL;
}

int main(void) {
  run_threads(3, run);
  return 0;
}
