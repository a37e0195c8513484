// Races of an execution: pairs of dependent events that could have happened the other way
// round.
//
// Event e races with a later operation o if o depends on e directly, nothing that
// happens between them orders them as well, and o can happen when e and all that depends
// on it is taken away. An edge that only enables (release to acquire, post to wait) does
// not count as being in between for events of the same object: take the acquire away,
// and its release is gone too.
#pragma once

#include <memory_resource>
#include <vector>

#include "explore/execution.h"

namespace heddle {

struct Race {
  Execution::EventIndex earlier;
  bool tentative;  // whether the later one could come first has to be tried
};

// The races in which the last operation is a thread's next one, `predecessors` being what
// it depends on directly and `previous` the last event of its thread. Those with events
// of section `own_section` (unless that is 0) are left out without being counted.
void find_races(const Execution& execution, Execution::EventIndex previous,
                std::span<const Execution::Predecessor> predecessors, std::uint32_t own_section,
                std::pmr::vector<Race>& result, CheckCounters& counters);

}  // namespace heddle
