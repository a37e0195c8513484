// A witness with as few switches between threads as possible, and then as few steps.
//
// A schedule is cut into blocks: steps of one thread in a row. Moving a block next to another
// one of its thread saves a switch. First all blocks are moved that pass nothing they have to
// do with; that changes nothing about the execution. Then every other such move is tried, one
// after the other, and last the steps of threads that the finding is not about are left out.
// Whatever was changed has to show the finding in a replay, or it is taken back. The last
// block stays the last where the finding is in it, not behind it.
//
// What a step is about is known from its words only, which may hide that two names mean the
// same memory, and an other order may lead the program elsewhere; so replays decide.
#pragma once

#include <cstddef>
#include <functional>

#include "finding/finding.h"

namespace heddle {

// Whether a replay of the finding shows it.
using Shows = std::function<bool(const Finding&)>;

// Of a program's finding, with at most so many replays. Unchanged: there is nothing to gain.
Finding minimised(const Finding& finding, std::size_t most_replays, const Shows& shows);

// How often another thread goes on than before.
std::size_t switches_of(const Finding& finding);

}  // namespace heddle
