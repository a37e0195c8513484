// Thread-specific data and its destructors, which may set values again.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key, other;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int destroyed;
static void destroy(void* value) {
  pthread_mutex_lock(&mutex);
  ++destroyed;
  pthread_mutex_unlock(&mutex);
  free(value);
}
static void set_again(void* value) { pthread_setspecific(key, value); }
static void* body(void* unused) {
  assert(pthread_getspecific(key) == 0);
  pthread_setspecific(key, malloc(8));
  pthread_setspecific(other, malloc(8));
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_key_create(&key, destroy);
  pthread_key_create(&other, set_again);
  pthread_create(&a, 0, body, 0);
  pthread_create(&b, 0, body, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(destroyed == 4);
  return pthread_key_delete(key);
}
