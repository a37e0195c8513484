#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t condition;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int ready, calls;
static void init(void) { ++calls; }
static int body(void* argument) {
  call_once(&once, init);
  tss_set(key, argument);
  mtx_lock(&mutex);
  ready += tss_get(key) == argument;
  cnd_broadcast(&condition);
  mtx_unlock(&mutex);
  thrd_yield();
  if (argument == &ready) thrd_exit(3);
  return 4;
}
int main(void) {
  thrd_t a, b;
  mtx_init(&mutex, mtx_timed);
  cnd_init(&condition);
  tss_create(&key, 0);
  assert(thrd_create(&a, body, &ready) == thrd_success);
  assert(thrd_create(&b, body, &calls) == thrd_success);
  mtx_lock(&mutex);
  while (ready < 2) cnd_wait(&condition, &mutex);
  assert(mtx_trylock(&mutex) == thrd_busy);
  struct timespec soon;
  timespec_get(&soon, TIME_UTC);
  soon.tv_sec += 1;
  assert(cnd_timedwait(&condition, &mutex, &soon) == thrd_timedout);
  mtx_unlock(&mutex);
  thrd_sleep(&(struct timespec){.tv_sec = 1}, 0);
  int first = 0, second = 0;
  thrd_join(a, &first);
  thrd_join(b, &second);
  assert(first == 3 && second == 4 && calls == 1);
  mtx_destroy(&mutex);
  cnd_destroy(&condition);
  return 0;
}
