// Two locks taken in both orders. A third pair of sections is kept apart by a common lock.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t third = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t fourth = PTHREAD_MUTEX_INITIALIZER;
static int moved[2];

static void move(pthread_mutex_t* from, pthread_mutex_t* to, int* count) {
  pthread_mutex_lock(from);
  pthread_mutex_lock(to);
  ++*count;
  pthread_mutex_unlock(to);
  pthread_mutex_unlock(from);
}

static void* forth(void* unused) {
  int private_work = 0;
  for (int i = 0; i < 100; ++i) private_work += i;
  move(&first, &second, &moved[0]);
  pthread_mutex_lock(&guard);
  move(&third, &fourth, &moved[0]);
  pthread_mutex_unlock(&guard);
  return unused;
}

static void* back(void* unused) {
  pthread_mutex_lock(&guard);
  move(&fourth, &third, &moved[1]);
  pthread_mutex_unlock(&guard);
  move(&second, &first, &moved[1]);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, forth, NULL);
  pthread_create(&two, NULL, back, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  printf("%d\n", moved[0] + moved[1]);
  return 0;
}
