// Sixteen bytes at once.
#include <assert.h>
#include <pthread.h>

typedef struct {
  unsigned long low, high;
} Pair;
static _Atomic Pair pair __attribute__((aligned(16)));
static void* body(void* unused) {
  for (int i = 0; i < 5; ++i) {
    Pair old = __c11_atomic_load(&pair, __ATOMIC_SEQ_CST);
    Pair next;
    do {
      next.low = old.low + 1;
      next.high = old.high + 2;
    } while (!__c11_atomic_compare_exchange_strong(&pair, &old, next, __ATOMIC_SEQ_CST,
                                                   __ATOMIC_SEQ_CST));
  }
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, body, 0);
  pthread_create(&b, 0, body, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  Pair end = __c11_atomic_load(&pair, __ATOMIC_SEQ_CST);
  assert(end.low == 10 && end.high == 20);
  return 0;
}
