#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int calls;
static void init(void) { ++calls; }
static void* body(void* unused) {
  pthread_once(&once, init);
  assert(calls == 1);
  return unused;
}
int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, body, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return 0;
}
