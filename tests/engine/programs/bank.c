// model: bank-transfer.hm N=2
#include "threads.h"

static pthread_mutex_t account[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                     PTHREAD_MUTEX_INITIALIZER};
static int balance[3] = {100, 100, 100};

static void transfer(int source, int target) {
  const int low = source < target ? source : target;
  const int high = source < target ? target : source;
  pthread_mutex_lock(&account[low]);
  pthread_mutex_lock(&account[high]);
  balance[source] -= 10;
  balance[target] += 10;
  pthread_mutex_unlock(&account[high]);
  pthread_mutex_unlock(&account[low]);
}

static void audit(void) {
  int sum = 0;
  for (int i = 0; i < 3; ++i) {
    pthread_mutex_lock(&account[i]);
    sum += balance[i];
  }
  assert(sum == 300);
  for (int i = 0; i < 3; ++i) pthread_mutex_unlock(&account[i]);
}

static void* run(void* number) {
  const int i = (int)(intptr_t)number;
  i < 2 ? transfer(i, i + 1) : audit();
  return NULL;
}

int main(void) {
  run_threads(3, run);
  return 0;
}
