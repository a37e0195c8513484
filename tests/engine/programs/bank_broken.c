// finds: assertion
#include "threads.h"

static pthread_mutex_t account[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int balance[2] = {100, 100};

static void change(int number, int amount) {
  pthread_mutex_lock(&account[number]);
  balance[number] += amount;
  pthread_mutex_unlock(&account[number]);
}

static int read_balance(int number) {
  pthread_mutex_lock(&account[number]);
  const int result = balance[number];
  pthread_mutex_unlock(&account[number]);
  return result;
}

static void* run(void* number) {
  if (number == NULL) {
    change(0, -10);
    change(1, 10);
  } else {
    assert(read_balance(0) + read_balance(1) == 200);
  }
  return NULL;
}

int main(void) {
  run_threads(2, run);
  return 0;
}
