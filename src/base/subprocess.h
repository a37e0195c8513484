// Runs another program to its end and keeps what it printed, or turns into it.
//
// For short-lived helpers with modest output (a compiler, the program under a test):
// standard input is /dev/null unless given, and all output is held in memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace heddle {

struct SubprocessOptions {
  std::string directory = {};                 // to run in; empty: this one
  std::vector<std::string> environment = {};  // "NAME=value" added to the inherited ones
  std::string output_path = {};  // standard output goes to this file instead of being kept
};

struct SubprocessResult {
  int exit_status = 0;  // 128 + n for death by signal n, as shells say it
  std::string output;
  std::string errors;
};

// `command[0]` is looked up in PATH unless it contains a slash. A program that cannot be
// started is an error; one that fails is not.
Result<SubprocessResult> run_subprocess(const std::vector<std::string>& command,
                                        const SubprocessOptions& options = {});

// Turns this process into that program, which keeps its standard streams and its parent, so
// that nobody can tell the difference. Returns only if that cannot be done. The settings
// are added to the environment as above.
Error become_program(const std::vector<std::string>& command,
                     const std::vector<std::string>& environment = {});

// The full path of a program in PATH.
std::optional<std::string> find_program(const std::string& name);

}  // namespace heddle
