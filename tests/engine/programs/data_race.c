// finds: race
#include "threads.h"

static int x;

static void* run(void* unused) {
  (void)unused;
  ++x;
  return NULL;
}

int main(void) {
  run_threads(2, run);
  return 0;
}
