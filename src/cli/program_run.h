// A run along the schedule of a search, as a finding and for people.
#pragma once

#include <string>
#include <vector>

#include "finding/finding.h"
#include "record/steps_run.h"

namespace heddle {

// Whether the run ended as the finding says.
bool shows(const StepsRun& run, FindingKind kind, const std::string& message);

// What matters of it: the last event of the thread that went wrong, both accesses of a race,
// what each thread of a deadlock waits for.
std::vector<FindingEvent> events_of(const StepsRun& run, FindingKind kind, std::uint32_t thread,
                                    std::uint32_t other_thread);

// One column per thread, and below the calls that led to the events that matter.
void print_run(const StepsRun& run, FindingKind kind, std::uint32_t thread,
               std::uint32_t other_thread);

// Threads as a schedule names them: "main", "thread 2".
std::string step_thread_name(std::uint32_t thread);
std::vector<SearchStep> steps_of(const Finding& finding);

}  // namespace heddle
