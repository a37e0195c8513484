#include "hybrid/warnings.h"

namespace heddle::hybrid {

std::vector<Warning> lockset_warnings(const RunFacts& facts) {
  Lockset lockset;
  std::vector<Warning> warnings;
  for (std::size_t e = 0; e < facts.run().events.size(); ++e) {
    const RunEvent& event = facts.run().events[e];
    for (const Access& access : event.accesses) {
      if (!is_access(access.kind)) continue;
      const bool broken = lockset.access(access.object.value(), {.thread = event.thread(),
                                                                 .writes = writes(access.kind),
                                                                 .held = facts.held(e),
                                                                 .clock = facts.clock(e),
                                                                 .time = facts.time(e)});
      if (broken && !is_atomic(access.kind)) warnings.push_back({e, access.object});
    }
  }
  return warnings;
}

}  // namespace heddle::hybrid
