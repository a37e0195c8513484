// finds: race
// Two threads write to one variable, and neither reads it.
#include "threads.h"

int x;

static void* run(void* number) {
  x = (int)(intptr_t)number + 1;
  return NULL;
}

int main(void) {
  run_threads(2, run);
  return 0;
}
