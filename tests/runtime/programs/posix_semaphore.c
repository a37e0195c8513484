#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t slots, full;
static int inside;
static void* body(void* unused) {
  sem_wait(&slots);
  ++inside;
  assert(inside == 1);
  --inside;
  sem_post(&slots);
  sem_post(&full);
  return unused;
}
int main(void) {
  pthread_t threads[3];
  sem_init(&slots, 0, 1);
  sem_init(&full, 0, 0);
  assert(sem_trywait(&full) == -1 && errno == EAGAIN);
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_sec += 5;
  assert(sem_timedwait(&full, &soon) == -1 && errno == ETIMEDOUT);
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, body, 0);
  for (int i = 0; i < 3; ++i) sem_wait(&full);
  int value = -1;
  sem_getvalue(&slots, &value);
  assert(value == 1);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return 0;
}
