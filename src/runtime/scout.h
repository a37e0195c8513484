// A scout must not be noticed: it runs the program to find out what its threads share, and
// the program is run again after it.
//
// The kernel sees to that (seccomp). Calls that only change the process itself are allowed;
// what a write to standard output or error would have given is made up; any other call, a file
// opened for writing, a socket, a child process, input that would be gone, ends the scout
// before it happens. Then the program is recorded in one run, with everything in it.
#pragma once

#include "runtime/wire.h"

namespace heddle::runtime {

void confine_scout(wire::Header* header);

}  // namespace heddle::runtime
