// Starts the program under test: with the channel, with the runtime where the dynamic
// linker finds it, and without address randomisation where that is allowed.
#pragma once

#include <csignal>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/result.h"

namespace heddle {

struct Launch {
  std::vector<std::string> command;
  std::vector<std::string> debugger = {};  // words in front of the command
  int channel = -1;
  bool randomise_addresses = false;  // leave it on
  bool confined = false;             // a run that must not be noticed, see runtime/scout.h
  std::vector<int> inherited = {};   // confined: descriptors that it is not to have
  // Standard output and error go nowhere, and input that is no file is empty.
  bool discard_output = false;
  bool keep_output = false;  // standard output is a file of its own, which only the program sees
  int output = -1;           // standard output and error go to this descriptor, all the same
  std::string errors_path = {};  // standard error goes to the end of this file, all the same
  bool bind_now = false;         // look up all functions at the start
  // What the program does on these signals; Heddle itself ignores them meanwhile.
  sighandler_t on_interrupt = SIG_DFL;
  sighandler_t on_quit = SIG_DFL;
};

// The process id. A program that cannot be started is an error.
Result<pid_t> launch(const Launch& options);

// Whether standard input can be read by a scout and once more by the run after it.
bool input_is_file();

// The descriptors besides the standard ones that a program gets from us, unless it is confined.
std::vector<int> inherited_descriptors();

// Whether the kernel lets us switch address randomisation off.
bool can_fix_addresses();

// The folder of libheddle_rt.so, near the running program; empty when it is not there.
std::string runtime_folder();

}  // namespace heddle
