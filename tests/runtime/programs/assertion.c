// expect: SIGABRT
#include <assert.h>
#include <pthread.h>

static volatile int value;
static void* body(void* unused) {
  value = 1;
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  pthread_join(thread, 0);
  assert(value == 0);
  return 0;
}
