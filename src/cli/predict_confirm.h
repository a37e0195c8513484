// Predictions put to the test: each one's schedule is run on the program that the trace is of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "finding/finding.h"
#include "record/finding_run.h"

namespace heddle {

// What came of replaying one finding.
struct ReplayOutcome {
  ReplayVerdict verdict = ReplayVerdict::refuted;
  std::string why;  // one line, unless it is confirmed
};

struct Replays {
  // Why nothing could be replayed; "" when something was. Not set where no program is known.
  std::string problem;
  bool has_program = true;
  std::vector<std::optional<ReplayOutcome>> outcomes;  // by finding; none: not replayed
};

// Replays the findings, all of one trace, and marks those that are confirmed.
Replays confirm(std::vector<Finding>& findings);

}  // namespace heddle
