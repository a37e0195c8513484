// Finds what the plan needs: the compiler behind the wrapper, and Heddle's own files.
//
// The compiler is --heddle-compiler=NAME, else what HEDDLE_CC or HEDDLE_CXX says, else the
// first Clang in PATH. Its family shows in its name; only of a name that does not tell is
// the program asked. Heddle's files are found from where this program stands, so that an
// installation can be moved.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "compile/plan.h"

namespace heddle {

// "ccache g++-12" -> {"ccache", "g++-12"} and its family.
Result<Toolchain> find_toolchain(Language language, const Invocation& invocation);

// The folder of the running program, links resolved.
Result<std::string> own_folder();

// A program of Heddle's in the folder beside the running one: "heddle-c++".
Result<std::string> own_program(const std::string& name);

}  // namespace heddle
