// Ages and times, which bound propagation.
//
// Graphs have cycles though executions have none: control may be switched back to a point
// that was passed before. A thread's steps from its beginning to a point, on the longest way,
// are the point's age; the time of an arrival is the sum of the ages of all threads, as far as
// a path knows: it passes as the age does along a thread, and stands still at a switch. In an
// execution no thread gets older than its longest way, so at each point there is a last time
// when something can still arrive. Times add up along a way, wherever it is cut.
#pragma once

#include <cstdint>

#include "ranges/flow.h"

namespace heddle::ranges {

using Time = std::uint64_t;

struct Ages {
  explicit Ages(const Flow& flow);

  // Of a point inside a step: as old as where the step began.
  Table<PointId, Time> age;
  // The point's age, and the others' longest ways.
  Table<PointId, Time> latest;
};

}  // namespace heddle::ranges
