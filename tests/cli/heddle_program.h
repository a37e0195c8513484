// Runs the heddle program that was built with the tests.
#pragma once

#include <string>
#include <vector>

#include "base/subprocess.h"

namespace heddle {

inline SubprocessResult run_heddle(std::vector<std::string> arguments,
                                   const SubprocessOptions& options = {}) {
  arguments.insert(arguments.begin(), HEDDLE_PROGRAM);
  return run_subprocess(arguments, options).value();
}

// Runs a line of bash in which "$HEDDLE" is the program.
inline SubprocessResult run_bash(const std::string& line) {
  return run_subprocess({"bash", "-c", line}, {.environment = {"HEDDLE=" HEDDLE_PROGRAM}}).value();
}

}  // namespace heddle
