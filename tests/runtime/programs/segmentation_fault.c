// expect: SIGSEGV
#include <pthread.h>

static int* volatile pointer;
static void* body(void* unused) {
  *pointer = 1;
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  pthread_join(thread, 0);
  return 0;
}
