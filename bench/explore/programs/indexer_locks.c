// N threads that put words into a hash table, with one lock per slot.
#include <stdlib.h>

#include "threads.h"

enum { SIZE = 128, MAX = 4 };
static pthread_mutex_t locks[SIZE];
static int table[SIZE];

static int put(int h, int w) {
  pthread_mutex_lock(&locks[h]);
  const int stored = table[h] == 0;
  if (stored) table[h] = w;
  pthread_mutex_unlock(&locks[h]);
  return stored;
}

static void* indexer(void* number) {
  const int tid = (int)(intptr_t)number;
  for (int m = 1; m <= MAX; ++m) {
    const int w = m * 11 + tid;
    int h = w * 7 % SIZE;
    while (!put(h, w)) h = (h + 1) % SIZE;
  }
  return NULL;
}

int main(int count, char** arguments) {
  run_threads(count > 1 ? atoi(arguments[1]) : 15, indexer);
  return 0;
}
