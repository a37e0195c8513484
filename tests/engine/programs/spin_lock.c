// finds: nothing
#include <sched.h>
#include <stdatomic.h>

#include "threads.h"

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int count;

static void* work(void* unused) {
  (void)unused;
  while (atomic_flag_test_and_set(&taken)) sched_yield();
  ++count;
  atomic_flag_clear(&taken);
  return NULL;
}

int main(void) {
  run_threads(2, work);
  assert(count == 2);
  return 0;
}
