#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;
static void* reader(void* unused) {
  for (int i = 0; i < 5; ++i) {
    pthread_rwlock_rdlock(&lock);
    assert(value % 2 == 0);
    pthread_rwlock_unlock(&lock);
    if (pthread_rwlock_tryrdlock(&lock) == 0) pthread_rwlock_unlock(&lock);
  }
  return unused;
}
static void* writer(void* unused) {
  for (int i = 0; i < 5; ++i) {
    pthread_rwlock_wrlock(&lock);
    ++value;
    ++value;
    pthread_rwlock_unlock(&lock);
    if (pthread_rwlock_trywrlock(&lock) == 0) pthread_rwlock_unlock(&lock);
  }
  return unused;
}
int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], 0, i < 2 ? reader : writer, 0);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
  assert(value == 20);
  return 0;
}
