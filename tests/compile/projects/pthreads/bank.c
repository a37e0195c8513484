// Two tellers pay into one account; the program as somebody would write it in C.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long balance = 100;

static void* teller(void* amount) {
  pthread_mutex_lock(&lock);
  balance += *(long*)amount;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  long amounts[2] = {50, -30};
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, teller, &amounts[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  printf("%ld\n", balance);
  return balance == 120 ? 0 : 1;
}
