// Mutual exclusion by loads and stores alone.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int inside, entries;
static void* body(void* argument) {
  const int me = argument != 0;
  for (int i = 0; i < 5; ++i) {
    atomic_store(&wants[me], 1);
    atomic_store(&turn, 1 - me);
    while (atomic_load(&wants[1 - me]) && atomic_load(&turn) == 1 - me) {
    }
    assert(++inside == 1);
    ++entries;
    --inside;
    atomic_store(&wants[me], 0);
  }
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, body, 0);
  pthread_create(&b, 0, body, &turn);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(entries == 10);
  return 0;
}
