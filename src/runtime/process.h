// What belongs to the process as a whole.
#pragma once

#include "runtime/thread.h"

namespace heddle::runtime {

// The last event: nothing that happens later is seen.
void log_exit(Thread& self);
// The places that hold the program's arguments and environment.
void visit_arguments(void (*visit)(std::uint64_t low, std::uint64_t high));
// Tells the host about modules that were loaded since the last call.
void define_new_modules();

}  // namespace heddle::runtime
