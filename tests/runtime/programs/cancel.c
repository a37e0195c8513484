// Cancellation at a cancellation point.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int rounds;
static void* body(void* unused) {
  for (;;) {
    ++rounds;
    sleep(1);
  }
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  sleep(3);
  pthread_cancel(thread);
  void* result = 0;
  pthread_join(thread, &result);
  assert(result == PTHREAD_CANCELED && rounds > 0);
  return 0;
}
