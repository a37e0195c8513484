// Two locks taken in both orders. A third pair of sections is kept apart by a common lock.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t third = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t fourth = PTHREAD_MUTEX_INITIALIZER;
static int moved;

static void move(pthread_mutex_t* from, pthread_mutex_t* to) {
  pthread_mutex_lock(from);
  pthread_mutex_lock(to);
  ++moved;
  pthread_mutex_unlock(to);
  pthread_mutex_unlock(from);
}

static void* forth(void* unused) {
  int private_work = 0;
  for (int i = 0; i < 100; ++i) private_work += i;
  move(&first, &second);
  pthread_mutex_lock(&guard);
  move(&third, &fourth);
  pthread_mutex_unlock(&guard);
  return unused;
}

static void* back(void* unused) {
  pthread_mutex_lock(&guard);
  move(&fourth, &third);
  pthread_mutex_unlock(&guard);
  move(&second, &first);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, forth, NULL);
  pthread_create(&two, NULL, back, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  printf("%d\n", moved);
  return 0;
}
