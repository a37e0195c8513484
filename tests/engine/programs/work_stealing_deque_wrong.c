// finds: assertion
// The deque of Chase and Lev whose owner takes the last item without asking the thieves.
#include <stdatomic.h>
#include <stdbool.h>

#include "threads.h"

static atomic_int top = 0, bottom = 2;
static int taken[3][2];

static void take(void) {
  const int b = atomic_load(&bottom) - 1;
  atomic_store(&bottom, b);
  int t = atomic_load(&top);
  if (t < b) {
    ++taken[0][b];
  } else if (t == b) {
    ++taken[0][b];
    atomic_store(&top, t + 1);
    atomic_store(&bottom, b + 1);
  } else {
    atomic_store(&bottom, b + 1);
  }
}

static void steal(int thief) {
  int t = atomic_load(&top);
  const int b = atomic_load(&bottom);
  if (t < b && atomic_compare_exchange_strong(&top, &t, t + 1)) ++taken[thief][t];
}

static void* run(void* number) {
  const int i = (int)(intptr_t)number;
  if (i > 0) {
    steal(i);
    return NULL;
  }
  take();
  take();
  return NULL;
}

int main(void) {
  run_threads(3, run);
  for (int item = 0; item < 2; ++item)
    assert(taken[0][item] + taken[1][item] + taken[2][item] == 1);
  return 0;
}
