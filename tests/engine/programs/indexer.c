// model: epor/indexer.hm N=12
#include <stdatomic.h>

#include "threads.h"

enum { N = 12, SIZE = 128, MAX = 4 };
static atomic_int table[SIZE];

static void* indexer(void* number) {
  const int tid = (int)(intptr_t)number;
  for (int m = 1; m <= MAX; ++m) {
    const int w = m * 11 + tid;
    int h = w * 7 % SIZE;
    for (int empty = 0; !atomic_compare_exchange_strong(&table[h], &empty, w); empty = 0) {
      h = (h + 1) % SIZE;
    }
  }
  return NULL;
}

int main(void) {
  run_threads(N, indexer);
  return 0;
}
