// finds: nothing
#include "threads.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x, y;

static void* run(void* number) {
  if (number == NULL) {
    pthread_rwlock_wrlock(&lock);
    ++x;
    ++y;
  } else {
    pthread_rwlock_rdlock(&lock);
    assert(x == y);
  }
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  run_threads(3, run);
  return 0;
}
