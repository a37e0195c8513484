// finds: race
// Two threads copy to overlapping parts of one buffer, which is no access of the program's own code.
#include <string.h>

#include "threads.h"

char shared[64];
static const char kText[] = "some text";

static void* run(void* number) {
  memcpy(shared + (intptr_t)number, kText, strlen(kText));
  return NULL;
}

int main(void) {
  run_threads(2, run);
  return 0;
}
