// Every interleaving of a small system, by brute force: slow and obvious.
//
// The one saving: two interleavings that begin with the same events in the same order of
// dependent pairs have the same continuations, so these are followed once.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "system/system.h"

namespace heddle {

struct Exploration {
  std::size_t traces = 0;  // Mazurkiewicz classes of maximal executions
  std::set<std::uint64_t> final_states;
  std::set<std::string> failures;  // as described
  std::size_t deadlocks = 0;       // classes that end in one
  bool complete = true;
};

// Gives up after `limit` classes of prefixes.
// Two operations are dependent if they share an object and at least one changes it.
Exploration explore_all(System& system, std::size_t limit = 1000000);

// Whether some order of the two matters, for the purpose of counting classes.
bool dependent(const Operation& a, const Operation& b);

}  // namespace heddle
