// Stage I: Lockset's warnings of a run (trace/lockset.h).
//
// Every access at which no common lock is left is a warning, not only the first one of a location:
// another access to it, at another place in the source, may be the one that really races.
#pragma once

#include <vector>

#include "hybrid/run_facts.h"

namespace heddle::hybrid {

struct Warning {
  std::size_t event = 0;  // in the run
  SystemObject location;
};

std::vector<Warning> lockset_warnings(const RunFacts& facts);

}  // namespace heddle::hybrid
