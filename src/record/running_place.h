// Where in its source a process is that goes on and on without a sign.
//
// It is stopped, and taken on instruction by instruction until one is of the program's own code
// and not of a library that it calls.
#pragma once

#include <string>

#include <sys/types.h>

namespace heddle {

// "count_up() at spin.cpp:12" of the first thread of the process, or of its innermost child; empty
// if it cannot be told. The process is not of use afterwards.
std::string place_of_running(pid_t process);

}  // namespace heddle
