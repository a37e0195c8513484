// Ten thousand threads, one after the other.
// takes long: once is enough
#include <assert.h>
#include <pthread.h>

static int counter;
static void* body(void* unused) {
  ++counter;
  return unused;
}
int main(void) {
  for (int i = 0; i < 5000; ++i) {
    pthread_t a, b;
    pthread_create(&a, 0, body, 0);
    pthread_join(a, 0);
    pthread_create(&b, 0, body, 0);
    pthread_join(b, 0);
  }
  assert(counter == 10000);
  return 0;
}
