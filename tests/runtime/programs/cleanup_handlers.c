// Cleanup handlers run, the latest first, when a thread is cancelled or exits.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int order, first, second, popped;
static void unlock(void* argument) { pthread_mutex_unlock(argument); }
static void note(void* place) { *(int*)place = ++order; }
static void* exits(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, &mutex);
  pthread_cleanup_push(note, &first);
  pthread_cleanup_push(note, &second);
  pthread_exit(unused);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return unused;
}
static void* cancelled(void* unused) {
  pthread_cleanup_push(note, &popped);
  for (;;) sleep(1);
  pthread_cleanup_pop(1);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, exits, 0);
  pthread_join(thread, 0);
  assert(second == 1 && first == 2);
  assert(pthread_mutex_trylock(&mutex) == 0);
  pthread_create(&thread, 0, cancelled, 0);
  sleep(2);
  pthread_cancel(thread);
  pthread_join(thread, 0);
  assert(popped == 3);
  return 0;
}
