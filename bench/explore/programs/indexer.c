// N threads that put words into a hash table, by compare-and-swap.
#include <stdatomic.h>
#include <stdlib.h>

#include "threads.h"

enum { SIZE = 128, MAX = 4 };
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

int main(int count, char** arguments) {
  run_threads(count > 1 ? atoi(arguments[1]) : 15, indexer);
  return 0;
}
