// How many preemptions an execution has.
#pragma once

#include "explore/execution.h"
#include "system/system.h"

namespace heddle {

// Counts the switches away from a thread that could have gone on, by running it again.
inline std::uint32_t preemptions_of(System& replay, const Execution& execution) {
  replay.rewind(0);
  std::uint32_t count = 0;
  for (Execution::EventIndex e = 0; e < execution.size(); ++e) {
    const ThreadId thread = execution.thread(e);
    const ThreadId last = e == 0 ? thread : execution.thread(e - 1);
    if (last != thread && replay.readiness(last) == Readiness::ready) ++count;
    replay.step(thread, execution.transition(e).choice);
  }
  return count;
}

}  // namespace heddle
