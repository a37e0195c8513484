// Starts the program under test: with the channel, with the runtime where the dynamic
// linker finds it, and without address randomisation where that is allowed.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "base/result.h"

namespace heddle {

struct Launch {
  std::vector<std::string> command;
  int channel = -1;
  bool randomise_addresses = false;  // leave it on
  bool under_debugger = false;       // stop before the first instruction, wait for gdb
};

// The process id. A program that cannot be started is an error.
Result<pid_t> launch(const Launch& options);

// The folder of libheddle_rt.so, near the running program; empty when it is not there.
std::string runtime_folder();

}  // namespace heddle
