// The main thread ends; the process goes on until the last thread does.
#include <pthread.h>
#include <stdio.h>

static void* body(void* unused) {
  for (int i = 0; i < 3; ++i) printf("still here %d\n", i);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  pthread_exit(0);
}
