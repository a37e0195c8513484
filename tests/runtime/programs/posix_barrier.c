#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int serial;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void* body(void* unused) {
  for (int i = 0; i < 3; ++i) {
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
      pthread_mutex_lock(&mutex);
      ++serial;
      pthread_mutex_unlock(&mutex);
    }
  }
  return unused;
}
int main(void) {
  pthread_t threads[3];
  pthread_barrier_init(&barrier, 0, 3);
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, body, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  assert(serial == 3);
  return pthread_barrier_destroy(&barrier);
}
