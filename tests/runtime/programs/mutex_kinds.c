// Normal, recursive and error-checking mutexes; try and timed.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checking;
static int counter;
static void* body(void* unused) {
  for (int i = 0; i < 5; ++i) {
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&recursive);
    ++counter;
    pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&recursive);
    if (pthread_mutex_trylock(&plain) == 0) pthread_mutex_unlock(&plain);
  }
  assert(pthread_mutex_lock(&checking) == 0);
  assert(pthread_mutex_lock(&checking) == EDEADLK);
  assert(pthread_mutex_unlock(&checking) == 0);
  assert(pthread_mutex_unlock(&checking) == EPERM);
  return unused;
}
int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checking, &attributes);
  pthread_mutex_lock(&plain);
  pthread_t a, b;
  pthread_create(&a, 0, body, 0);
  pthread_create(&b, 0, body, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_sec += 1;
  assert(pthread_mutex_timedlock(&plain, &soon) == ETIMEDOUT);
  assert(pthread_mutex_trylock(&plain) == EBUSY);
  pthread_mutex_unlock(&plain);
  pthread_mutex_destroy(&checking);
  assert(counter == 10);
  return 0;
}
