// A scout must not be noticed: it runs the program to find out what its threads share, and
// the program is run again after it. The same goes for a try that may be in vain (forecast.h).
//
// The kernel sees to that (seccomp). Calls that only change the process itself are allowed;
// what a write to standard output or error would have given is made up, and what was to be
// written is kept for the host as far as there is room; any other call, a file opened for writing,
// a socket, a child process, input that would be gone, ends the run before it happens. Then the
// program is recorded in one run, with everything in it.
//
// Descriptors that the program inherits besides the standard ones cannot be used: each is bad, as
// if it were closed, but its number is taken. A program that tries one goes another way than it
// would, so such a run is no more than a scout.
#pragma once

#include "runtime/wire.h"

namespace heddle::runtime {

void confine(wire::Header* header);

}  // namespace heddle::runtime
