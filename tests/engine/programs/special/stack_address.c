// Prints where a thread's variable lies.
#include <pthread.h>
#include <stdio.h>

static void* print_address(void* unused) {
  int variable = 0;
  printf("%p\n", (void*)&variable);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, print_address, NULL);
  pthread_join(thread, NULL);
}
