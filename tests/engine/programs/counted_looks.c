// finds: nothing
// Looks at the same place three times; nothing but the counter tells that as no waiting in vain.
#include <stdatomic.h>

#include "threads.h"

static atomic_int x;
static int looks;

static void* run(void* number) {
  if (number == NULL) {
    atomic_store(&x, 1);
    return NULL;
  }
  for (int k = 0; k < looks; ++k) atomic_load(&x);
  return NULL;
}

int main(int count, char** arguments) {
  (void)arguments;
  looks = count + 2;
  run_threads(2, run);
  return 0;
}
