// The few steps of a run that tell how it came to a finding: what was done to the objects of
// the finding's events, how its threads came to be, which locks they took, and who was
// notified. Each switch to
// another thread gets its reason.
#pragma once

#include "finding/finding.h"
#include "finding/run.h"

namespace heddle {

// At most `most` of them, the last ones.
Run steps_that_matter(const Run& run, const Finding& finding, std::size_t most);

}  // namespace heddle
