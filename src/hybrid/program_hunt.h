// The hunt on a program that heddle-c++ built.
//
// The runs are executions of the engine (src/engine), in which a step is a visible operation with
// the plain accesses behind it; each is run once more with all accesses in a trace, on which
// warnings and partners are found as on a model's runs. The prefix ends with the step along with
// which the first access happens: its thread takes no step after that, so whoever comes to the
// second access races with it (engine/paused.h). How many steps that are is found by running
// beginnings of the run. The search is that of the engine, behind the prefix.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "hybrid/hunt.h"
#include "record/search.h"

namespace heddle::hybrid {

struct ProgramHuntOptions {
  std::vector<std::string> command;
  HuntOptions hunt;
  std::string trace_path;  // a file for traces on the way
  // When the hunt as a whole has to end.
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
  // Runs a witness once more; the two sites of its race, or nothing if it does not show.
  std::function<Result<std::vector<std::string>>(const SearchWitness&)> confirm;
};

struct ProgramHuntReport {
  HuntReport report;
  std::vector<SearchWitness> witnesses;  // by warning; those without a race have no schedule
};

Result<ProgramHuntReport> hunt_program(const ProgramHuntOptions& options);

}  // namespace heddle::hybrid
