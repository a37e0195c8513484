// Stage II: the partner access, with which the one that Lockset warned of could race.
//
// The paper's five conditions: the same location, different threads, at least one a write, at
// least one not atomic, no lock in common (one that both hold as readers does not count). To these
// comes a sixth: forks and joins do not order the two, for then no prefix of the run helps.
//
// The paper scans back from the warning to the last such access, at which its thread is paused.
// Where there is none, the access of the warning may itself be the earlier of the two, and the scan
// goes forward (its Figure 7).
#pragma once

#include <optional>
#include <vector>

#include "hybrid/warnings.h"

namespace heddle::hybrid {

// Two accesses of a run that could race: the thread of the first one is paused in front of it, and
// the place of the second one is what the search looks for.
struct Pair {
  std::size_t first = 0;
  std::size_t second = 0;
  SystemObject location;
};

// Whether the two accesses conflict: one of them writes, one of them is not atomic.
bool conflict(const ObservedRun& run, EventKind a, EventKind b);
// Whether the two events could race on the location, by the six conditions.
bool could_race(const RunFacts& facts, SystemObject location, std::size_t a, std::size_t b);

std::optional<Pair> partner_before(const RunFacts& facts, const Warning& warning);
std::optional<Pair> partner_behind(const RunFacts& facts, const Warning& warning);

// All pairs that could race, whether or not Lockset warned of them: at most `most` for two sites
// and a location, the latest first.
std::vector<Pair> all_pairs(const RunFacts& facts, std::size_t most);

}  // namespace heddle::hybrid
