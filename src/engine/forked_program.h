// The program in a child process of its own for every execution: slow, and beyond doubt.
//
// Where the program cannot be put back to its start in place, every execution begins in a
// fresh fork of a process in which nothing has happened yet. The child takes the steps that
// the parent, in which the search is, asks for, one message to and fro for each, and leaves in
// shared memory what its threads will do next.
#pragma once

#include "runtime/explored_program.h"

namespace heddle {

// The same program, run in children. There can be only one.
const explored::Program& in_forked_children(const explored::Program& program);

}  // namespace heddle
