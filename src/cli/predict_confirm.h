// Predictions put to the test: each one's schedule is run on the program that the trace is of, and
// then the program goes on to its end, to see whether somebody outside notices.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "finding/finding.h"
#include "record/finding_run.h"
#include "record/seen_run.h"

namespace heddle {

// What came of replaying one finding.
struct ReplayOutcome {
  ReplayVerdict verdict = ReplayVerdict::refuted;
  std::string why;  // one line, unless it is confirmed
  // Of a confirmed one: how what is seen from outside differs from the recorded run. None: one of
  // the two did not come to its end, or the recorded run could not be made again.
  std::optional<SeenChange> seen = {};
};

struct Replays {
  // Why nothing could be replayed; "" when something was. Not set where no program is known.
  std::string problem;
  bool has_program = true;
  std::vector<std::optional<ReplayOutcome>> outcomes;  // by finding; none: not replayed
};

// Replays the findings, all of the trace in this file, and marks those that are confirmed.
Replays confirm(std::vector<Finding>& findings, const std::string& trace_path);

}  // namespace heddle
