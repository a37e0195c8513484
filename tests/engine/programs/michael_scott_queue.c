// traces: 84
// The lock-free queue of Michael and Scott: two put a node each, one takes.
#include <stdatomic.h>
#include <stdbool.h>

#include "threads.h"

enum { NONE = 0, DUMMY = 1, NODES = 4 };
static atomic_int head = DUMMY, tail = DUMMY, next[NODES];

static void put(int node) {
  for (;;) {
    int t = atomic_load(&tail);
    int n = atomic_load(&next[t]);
    if (n != NONE) {
      atomic_compare_exchange_strong(&tail, &t, n);
      continue;
    }
    if (!atomic_compare_exchange_strong(&next[t], &n, node)) continue;
    atomic_compare_exchange_strong(&tail, &t, node);
    return;
  }
}

static void take(void) {
  for (;;) {
    int h = atomic_load(&head);
    int t = atomic_load(&tail);
    const int n = atomic_load(&next[h]);
    if (h != t) {
      if (atomic_compare_exchange_strong(&head, &h, n)) return;
    } else if (n == NONE) {
      return;
    } else {
      atomic_compare_exchange_strong(&tail, &t, n);
    }
  }
}

static void* run(void* number) {
  const int i = (int)(intptr_t)number;
  if (i < 2) {
    put(i + 2);
  } else {
    take();
  }
  return NULL;
}

// Whatever is not taken is in the list.
int main(void) {
  run_threads(3, run);
  int count = 0;
  for (int node = DUMMY; node != NONE; node = next[node]) ++count;
  assert(count == 3);
  return 0;
}
