// The schedule of a finding as the runtime follows it, and where in it the predicted thing is.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "finding/finding.h"
#include "runtime/wire.h"

namespace heddle {

struct FindingSchedule {
  std::vector<wire::Run> runs;
  std::vector<const FindingEvent*> next;  // come right after the schedule, in this order
  bool tries = false;                     // these have to wait
  std::vector<const FindingEvent*> heap;  // happen on the way: they are no steps
  std::uint64_t next_run = 0;             // the run with the first of these
  std::uint64_t last_run = 0;             // the one at which a person wants to look
};

Result<FindingSchedule> schedule_of_finding(const Finding& finding, const ProgramSubject& program);

}  // namespace heddle
