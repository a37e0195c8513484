// The scout: a run along the same schedule as the one that will be recorded, to find out
// which memory several threads touch. It leaves no traces in the world (runtime/scout.h).
//
// Where the program runs for long, a first look at its beginning must do, and what it says is
// only a forecast (runtime/forecast.h).
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
  // Only the beginning was looked at, and memory from these places became shared there.
  bool first_look = false;
  std::vector<wire::AllocationSite> sites;
};

// Looks at so many events at most; 0: at all.
Result<Scouted> scout(const RunOptions& options, std::uint64_t most_events);

// Options of a run that must not be noticed.
RunOptions confined(const RunOptions& options);
// Why a confined run was ended, in words; empty if it was not.
std::string refusal_in_words(const ProcessEnd& end);
// An error if somebody interrupted it at the terminal.
Result<void> check_interruption(const ProcessEnd& end);

}  // namespace heddle
