// A trace as a schedule: runs of events of one thread.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "runtime/wire.h"

namespace heddle {

Result<std::vector<wire::Run>> schedule_of_trace(const std::string& path);

}  // namespace heddle
