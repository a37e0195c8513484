// longjmp leaves functions without their exit hooks.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

static __thread jmp_buf buffer;
static int counter;
static void deeper(int depth) {
  ++counter;
  if (depth == 0) longjmp(buffer, 1);
  deeper(depth - 1);
}
static void* body(void* unused) {
  for (volatile int i = 0; i < 10; ++i) {
    if (setjmp(buffer) == 0) deeper(5);
  }
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  pthread_join(thread, 0);
  assert(counter == 60);
  return 0;
}
