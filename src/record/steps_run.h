// A schedule of a search, run once more on its program with everything in the log: to confirm
// what the search found, and to show it.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "finding/finding.h"
#include "record/run.h"
#include "record/search.h"
#include "trace/trace.h"

namespace heddle {

struct StepsRun {
  RunResult result;
  Trace trace;
};

// Leaves the trace in the file `path`.
Result<StepsRun> run_steps(const std::vector<std::string>& command,
                           const std::vector<SearchStep>& steps, const std::string& path,
                           const StepSettings& settings = {}, Under under = Under::nothing);

// The last event of the thread that went wrong; before it, of a race, the latest access of the
// other thread to the same place that clashes with it. Of a deadlock nothing: the run's result says
// who waits.
std::vector<EventId> events_that_matter(const Trace& trace, FindingKind kind, std::uint32_t thread,
                                        std::uint32_t other_thread);

}  // namespace heddle
