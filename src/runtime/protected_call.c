#include "runtime/protected_call.h"

struct cleanup {
  void (*routine)(void*);
  void* argument;
};

static void run_cleanup(struct cleanup* cleanup) { cleanup->routine(cleanup->argument); }

void heddle_call_with_cleanup(void (*routine)(void*), void* argument, void (*cleanup)(void*),
                              void* cleanup_argument) {
  struct cleanup guard __attribute__((cleanup(run_cleanup), unused)) = {cleanup, cleanup_argument};
  routine(argument);
}
