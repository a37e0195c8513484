// Replay: follows a finding's schedule on a system and tells what happens.
//
// The run is told step by step, with a reason for each switch to another thread: the one
// before is finished, is blocked, or is preempted, and then whether that matters: whether
// something that happens before it goes on conflicts with what it was about to do.
//
// Where the system does not do what the schedule expects (it is another version of the
// model), the first difference is kept. A step that can be taken is taken all the same, for
// the finding may still be there.
#pragma once

#include <string>
#include <variant>

#include "explore/findings.h"
#include "finding/run.h"
#include "system/system.h"

namespace heddle {

// The system must stand at its initial state, and stands where the run ended afterwards.
Run replay(System& system, const Finding& finding);

// A finding with all that can be said about it, and the run that confirmed it.
struct ReplayedFinding {
  Finding finding;
  Run run;
};

// Makes a witness a finding by replaying it on a fresh system.
ReplayedFinding make_finding(System& fresh, const Witness& witness,
                             std::variant<ModelSubject, ProgramSubject> subject,
                             std::string found_by);

}  // namespace heddle
