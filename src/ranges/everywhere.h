// Intervals that hold whenever a thread stands at a control state, whatever the others do.
//
// Propagation follows representative executions. For what a step reads and writes they stand
// for all executions, and so for a thread's own variables; but while a thread stands
// somewhere, others may write variables that its next step does not look at. So the intervals
// that are reported are put together anew, from what each step writes: going along a thread,
// a shared variable has the value that it had before, or that the thread wrote, or that a step
// of another thread wrote that can happen while the thread stands there. A write under a lock
// that the thread holds cannot, so inside its lock a thread knows what it wrote.
#pragma once

#include "ranges/record.h"

namespace heddle::ranges {

struct StateRange {
  bool reachable = false;
  std::vector<Interval> words;  // the shared ones, then the thread's own
};
using StateRanges = Table<model::StateId, StateRange>;

StateRanges ranges_everywhere(const Program& program, const Record& record);

}  // namespace heddle::ranges
