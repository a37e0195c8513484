// finds: nothing
#include <errno.h>
#include <stdatomic.h>

#include "threads.h"

static _Thread_local int mine = 7;
static atomic_int x;

static void* run(void* number) {
  assert(mine == 7);
  mine = (int)(intptr_t)number;
  errno = mine;
  atomic_fetch_add(&x, 1);
  assert(mine == (int)(intptr_t)number);
  assert(errno == mine);
  assert(pthread_equal(pthread_self(), pthread_self()));
  return NULL;
}

int main(void) {
  assert(mine == 7);
  mine = 8;
  run_threads(3, run);
  assert(mine == 8);
  return 0;
}
