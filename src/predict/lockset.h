// What Lockset alone would say about a trace: Eraser's algorithm (Savage, Burrows, Nelson,
// Sobalvarro, Anderson, TOCS 1997), shown beside the races that can really happen.
//
// A location is exclusive to its first thread, then shared, then shared and modified; from the
// second thread on, the locks held at all of its accesses are intersected, and a location that is
// modified with no lock left gets a warning. Reader locks protect reads only. One linear pass.
#pragma once

#include <vector>

#include "predict/question.h"

namespace heddle::predict {

// The access at which each warning is given, one per location at most, in trace order.
std::vector<EventId> lockset_warnings(const Facts& facts);

}  // namespace heddle::predict
