// Schedules made from an execution: only the events that are needed, with few switches.
//
// A set of events that contains, with each event, all that happens before it can be run in
// any order that keeps happens-before, and every thread sees the same. So what a finding
// shows need not contain what other threads did meanwhile, and a thread may go on as long
// as it needs nothing from the others.
#pragma once

#include <span>
#include <vector>

#include "explore/execution.h"

namespace heddle {

// The events that happen before one of the targets, and the targets themselves; in the
// order of the execution, which must be ordered.
std::vector<Execution::EventIndex> events_up_to(const Execution& execution,
                                                std::span<const Execution::EventIndex> targets);

// The same events, each thread going on as long as it can. The set must be closed as above.
std::vector<Transition> with_few_switches(const Execution& execution,
                                          std::span<const Execution::EventIndex> events);

}  // namespace heddle
