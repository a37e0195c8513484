// Where a thread keeps its copies of thread-local variables, told to the host so that they have
// names. Those of modules that are loaded by dlopen are made when they are first used, and stay
// without.
#pragma once

#include "runtime/thread.h"

namespace heddle::runtime {

// Called on the thread itself.
void tell_thread_locals(const Thread& self);

}  // namespace heddle::runtime
