// What the kernel keeps by thread, its number and its name, is the same wherever a thread asks,
// however often others ran meanwhile.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int turns;

static void* body(void* argument) {
  const pid_t number = gettid();
  assert(number != getpid());
  char name[16], seen[16];
  snprintf(name, sizeof name, "worker %ld", (long)argument);
  assert(pthread_setname_np(pthread_self(), name) == 0);
  for (int i = 0; i < 20; ++i) {
    pthread_mutex_lock(&mutex);
    ++turns;
    pthread_mutex_unlock(&mutex);
    assert(i % 3 != 0 || gettid() == number);
    assert(i % 3 != 1 || syscall(SYS_gettid) == number);
    assert(i % 4 != 0 || (pthread_getname_np(pthread_self(), seen, 16) == 0 && !strcmp(name, seen)));
    assert(i % 4 != 1 || (prctl(PR_GET_NAME, seen) == 0 && !strcmp(name, seen)));
  }
  return 0;
}

int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; ++i) pthread_create(&threads[i], 0, body, (void*)i);
  for (int i = 0; i < 20; ++i) {
    pthread_mutex_lock(&mutex);
    ++turns;
    pthread_mutex_unlock(&mutex);
    assert(gettid() == getpid());
  }
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  assert(turns == 80);
  return 0;
}
