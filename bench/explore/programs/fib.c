// The benchmark of the verification community: two threads count up by each other's numbers,
// and the main thread looks at both.
#include <stdatomic.h>
#include <stdlib.h>

#include "threads.h"

static int rounds = 5;
static atomic_int i = 1, j = 1;

static void* run(void* number) {
  for (int k = 0; k < rounds; ++k) {
    const int sum = atomic_load(&i) + atomic_load(&j);
    atomic_store(number == NULL ? &i : &j, sum);
  }
  return NULL;
}

int main(int count, char** arguments) {
  if (count > 1) rounds = atoi(arguments[1]);
  pthread_t threads[2];
  for (intptr_t k = 0; k < 2; ++k) pthread_create(&threads[k], NULL, run, (void*)k);
  assert(atomic_load(&i) <= 377 && atomic_load(&j) <= 377);
  return 0;
}
