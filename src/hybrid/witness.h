// Stage VI: the witness. The schedule is followed on a fresh system; if both threads stand in front
// of their accesses at its end, it is shortened to what happens before the two, with few switches,
// and that is tried as well.
#pragma once

#include <optional>
#include <vector>

#include "explore/findings.h"

namespace heddle::hybrid {

// The system must stand at its initial state, and does so again afterwards. Nothing if the two
// threads do not race at the end of the schedule.
std::optional<Witness> make_witness(System& system, const std::vector<Transition>& schedule,
                                    ThreadId first, ThreadId second);

}  // namespace heddle::hybrid
