// Reads standard input, a file that begins with "a", in every execution.
#include <stdatomic.h>
#include <unistd.h>

#include "../threads.h"

static atomic_int x;

static void* run(void* number) {
  atomic_store(&x, (int)(intptr_t)number);
  return NULL;
}

int main(void) {
  run_threads(2, run);
  assert(atomic_load(&x) < 2);
  char first = 0;
  assert(read(STDIN_FILENO, &first, 1) == 1 && first == 'a');
  return 0;
}
