// The Mazurkiewicz trace of an execution, in words.
#pragma once

#include <string>

#include "explore/execution.h"

namespace heddle {

// Two executions are the same trace if their events and happens-before are.
std::string trace_of(const Execution& original);

}  // namespace heddle
