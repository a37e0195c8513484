// A recorded run of a program as an observed run, in which every event is a step.
#pragma once

#include "hybrid/observed_run.h"
#include "trace/trace.h"

namespace heddle::hybrid {

struct TraceRun {
  ObservedRun run;
  Table<SystemObject, std::string> names;  // of the objects
};

// Events keep their numbers.
TraceRun run_of_trace(const Trace& trace);

// The name of what is accessed at both sites; empty if there is nothing.
std::string location_at(const TraceRun& run, const std::vector<std::string>& sites);

}  // namespace heddle::hybrid
