#include <pthread.h>
#include <sched.h>

static volatile int ready;
static void* body(void* unused) {
  ready = 1;
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  while (!ready) sched_yield();
  pthread_join(thread, 0);
  return 0;
}
