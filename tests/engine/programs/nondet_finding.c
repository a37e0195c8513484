// options: --nondet=-1..5
// finds: assertion
#include "threads.h"

extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern void reach_error(void);

static void* run(void* unused) {
  (void)unused;
  const unsigned char positive = __VERIFIER_nondet_uchar();
  assert(positive <= 5);
  if (__VERIFIER_nondet_short() == -1 && positive == 5) reach_error();
  return NULL;
}

int main(void) {
  run_threads(1, run);
  return 0;
}
