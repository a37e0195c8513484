// Stage III: the prefix, up to the paused access, grown past everything that the paused thread
// cannot affect (the paper's Figure 8, corrected).
//
// What happened in the run between the two accesses is gone through once. A thread is stuck, first
// the paused one, as soon as its next event could be affected by what stuck threads have not done;
// all other events are added. Of the figure as printed these are corrected:
//
//   - line 12 must ask for the same location, not for another one;
//   - which lock is free is a matter of the grown prefix, not of the run: a stuck thread keeps the
//     locks that it held where it got stuck, and in the run the lock was free, or the acquire that
//     is looked at would not have happened;
//   - a try that failed is to fail again;
//   - who was forked by a stuck thread has not begun, who joins one does not go on, and what a
//     stuck thread would have posted, notified or arrived at did not happen.
//
// The result is a run of the program like the observed one, in which every thread saw the same
// values up to where it stands.
#pragma once

#include <vector>

#include "hybrid/partner.h"

namespace heddle::hybrid {

struct Prefix {
  std::vector<std::size_t> events;  // of the run, in its order
  std::size_t extended_by = 0;      // the last so many stand behind the paused access in the run
};

Prefix prefix_before(const ObservedRun& run, const Pair& pair);
// The same, grown; it ends where another thread is about to race with the paused access, at the
// latest at the second access of the pair.
Prefix extended_prefix(const ObservedRun& run, const Pair& pair);

}  // namespace heddle::hybrid
