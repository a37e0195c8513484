// So much memory is freed by another thread that it has to be used again.
#include <pthread.h>
#include <stdlib.h>

enum { kBlocks = 300 };
static void* blocks[kBlocks];

static void* release(void* argument) {
  for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
  return argument;
}

int main(void) {
  pthread_t thread;
  for (int i = 0; i < kBlocks; ++i) blocks[i] = malloc(1 << 20);
  pthread_create(&thread, 0, release, 0);
  pthread_join(thread, 0);
  return 0;
}
