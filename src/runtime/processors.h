// All threads of the program run on one processor, since only one of them runs at a time:
// handing the turn over to a thread on the same processor costs a third of waking one up on
// another, and the host has the others for itself. The program does not notice: it is told the
// processors that it was started with, or those that it asked for.
#pragma once

#include <cstdint>

namespace heddle::runtime {

// As many as libc's cpu_set_t.
struct Processors {
  std::uint64_t bits[16];
};

// Remembers those that the process may use, and keeps to one from now on.
void keep_to_one_processor();
// A child process, or a call outside the gate: all of them again.
void use_all_processors();
// After a call outside the gate.
void return_to_one_processor();

}  // namespace heddle::runtime
