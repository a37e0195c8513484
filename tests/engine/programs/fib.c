// traces: 8953
// The benchmark of the verification community, with three rounds instead of five.
#include <stdatomic.h>

#include "threads.h"

enum { ROUNDS = 3 };
static atomic_int i = 1, j = 1;

static void* run(void* number) {
  for (int k = 0; k < ROUNDS; ++k) {
    if (number == NULL) {
      atomic_store(&i, atomic_load(&i) + atomic_load(&j));
    } else {
      atomic_store(&j, atomic_load(&j) + atomic_load(&i));
    }
  }
  return NULL;
}

int main(void) {
  run_threads(2, run);
  assert(i < 144 && j < 144);
  return 0;
}
