// expect: 3
#include <pthread.h>
#include <unistd.h>

static void* body(void* unused) {
  for (;;) usleep(10);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  _exit(3);
}
