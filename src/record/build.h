// Which build of a program it is: what tells that a program is no longer the one that a run was
// recorded of.
#pragma once

#include <string>

#include "base/result.h"

namespace heddle {

// The linker's build id, or a hash of the file where it has none. `program` is looked up in PATH
// unless it contains a slash. An error: it is not there.
Result<std::string> build_of(const std::string& program);

}  // namespace heddle
