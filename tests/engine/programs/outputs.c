// options: --outputs
// outputs: 6
// traces: 6
// Three threads print, and what is printed depends on who comes first.
#include <stdio.h>

#include "threads.h"

static void* run(void* number) {
  printf("thread %d\n", (int)(intptr_t)number);
  return NULL;
}

int main(void) {
  run_threads(3, run);
  return 0;
}
