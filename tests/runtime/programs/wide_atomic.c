// Sixteen bytes at once.
#include <assert.h>
#include <pthread.h>

static __int128 wide __attribute__((aligned(16)));
static void* body(void* unused) {
  for (int i = 0; i < 5; ++i) {
    __int128 old = __sync_fetch_and_add(&wide, 0);
    for (;;) {
      const __int128 seen = __sync_val_compare_and_swap(&wide, old, old + ((__int128)2 << 64) + 1);
      if (seen == old) break;
      old = seen;
    }
  }
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, body, 0);
  pthread_create(&b, 0, body, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(wide == ((__int128)20 << 64) + 10);
  return 0;
}
