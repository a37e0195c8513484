// No race, and yet a read that depends on who comes first (Figure 1 of the NDET paper).
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int state;
static int seen;

static void* set(void* value) {
  pthread_mutex_lock(&lock);
  state = *(const int*)value;
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void* look(void* unused) {
  pthread_mutex_lock(&lock);
  seen = state;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  static const int values[2] = {7, 8};
  pthread_create(&threads[0], NULL, set, (void*)&values[0]);
  pthread_create(&threads[1], NULL, set, (void*)&values[1]);
  pthread_create(&threads[2], NULL, look, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  printf("%d\n", seen);
  return 0;
}
