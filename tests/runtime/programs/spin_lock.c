#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int counter;
static void* body(void* unused) {
  for (int i = 0; i < 10; ++i) {
    while (pthread_spin_trylock(&lock) != 0) pthread_spin_lock(&lock), pthread_spin_unlock(&lock);
    ++counter;
    pthread_spin_unlock(&lock);
  }
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_spin_init(&lock, 0);
  pthread_create(&a, 0, body, 0);
  pthread_create(&b, 0, body, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(counter == 20);
  return pthread_spin_destroy(&lock);
}
