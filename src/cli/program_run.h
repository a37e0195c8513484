// A schedule of an exploration, run once more on its program with everything in the log: to
// confirm a finding, and to show it.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "finding/finding.h"
#include "record/run.h"
#include "record/search.h"
#include "trace/trace.h"

namespace heddle {

struct ProgramRun {
  RunResult result;
  Trace trace;
};

// Leaves the trace in the file `path`.
Result<ProgramRun> run_steps(const std::vector<std::string>& command,
                             const std::vector<SearchStep>& steps, const std::string& path,
                             const StepSettings& settings = {});

// Whether the run ended as the finding says.
bool shows(const ProgramRun& run, FindingKind kind, const std::string& message);

// What matters of it: the last event of the thread that went wrong, both accesses of a race,
// what each thread of a deadlock waits for.
std::vector<FindingEvent> events_of(const ProgramRun& run, FindingKind kind, std::uint32_t thread,
                                    std::uint32_t other_thread);

// One column per thread, and below the calls that led to the events that matter.
void print_run(const ProgramRun& run, FindingKind kind, std::uint32_t thread,
               std::uint32_t other_thread);

// Threads as a schedule names them: "main", "thread 2".
std::string step_thread_name(std::uint32_t thread);
std::vector<SearchStep> steps_of(const Finding& finding);

}  // namespace heddle
