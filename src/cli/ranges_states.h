// The intervals of `heddle ranges`, thread by thread, line by line.
#pragma once

#include "ranges/everywhere.h"

namespace heddle {

// Beside each statement stands what holds before it, as far as it differs from the line
// above; beside a thread's first statement everything. Neighbours in an array that have the
// same interval share it.
void print_states(const model::Model& model, const ranges::StateRanges& states);

}  // namespace heddle
