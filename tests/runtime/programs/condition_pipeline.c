// A bounded buffer with two conditions.
#include <assert.h>
#include <pthread.h>

enum { SIZE = 3, ITEMS = 20 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int buffer[SIZE], count, first, sum;
static void* produce(void* unused) {
  for (int i = 1; i <= ITEMS; ++i) {
    pthread_mutex_lock(&mutex);
    while (count == SIZE) pthread_cond_wait(&not_full, &mutex);
    buffer[(first + count++) % SIZE] = i;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}
static void* consume(void* unused) {
  for (int i = 1; i <= ITEMS; ++i) {
    pthread_mutex_lock(&mutex);
    while (count == 0) pthread_cond_wait(&not_empty, &mutex);
    sum += buffer[first];
    first = (first + 1) % SIZE;
    --count;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, produce, 0);
  pthread_create(&b, 0, consume, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(sum == ITEMS * (ITEMS + 1) / 2);
  return 0;
}
