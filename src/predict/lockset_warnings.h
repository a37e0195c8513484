// What Lockset alone would say about a trace (trace/lockset.h), shown beside the races that can
// really happen. As published, it knows nothing of forks and joins.
#pragma once

#include <vector>

#include "predict/question.h"

namespace heddle::predict {

// The access at which each warning is given, in trace order: one for the same memory at most.
std::vector<EventId> lockset_warnings(const Facts& facts);

}  // namespace heddle::predict
