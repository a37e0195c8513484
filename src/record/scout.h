// The scout: a run along the same schedule as the one that will be recorded, to find out
// which memory several threads touch. It leaves no traces in the world (runtime/scout.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "record/process_run.h"

namespace heddle {

struct Scouted {
  std::optional<std::vector<wire::Range>> shared;
  std::string reason;  // in words, when it could not be found out
};

Result<Scouted> scout(const RunOptions& options);

}  // namespace heddle
