// N transfers around a ring of accounts, each takes two locks in order.
#include <stdlib.h>

#include "threads.h"

static pthread_mutex_t account[32];
static int balance[32];
static int n = 12;

static void* transfer(void* number) {
  const int source = (int)(intptr_t)number;
  const int target = (source + 1) % n;
  pthread_mutex_t* low = &account[source < target ? source : target];
  pthread_mutex_t* high = &account[source < target ? target : source];
  pthread_mutex_lock(low);
  pthread_mutex_lock(high);
  balance[source] -= 10;
  balance[target] += 10;
  pthread_mutex_unlock(high);
  pthread_mutex_unlock(low);
  return NULL;
}

int main(int count, char** arguments) {
  if (count > 1) n = atoi(arguments[1]);
  run_threads(n, transfer);
  return 0;
}
