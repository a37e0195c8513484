// What belongs to the process as a whole.
#pragma once

#include "runtime/thread.h"

namespace heddle::runtime {

// The last event: nothing that happens later is seen.
void log_exit(Thread& self);
// Tells the host about modules that were loaded since the last call.
void define_new_modules();

}  // namespace heddle::runtime
