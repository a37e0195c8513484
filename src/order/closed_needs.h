// What a reordering that stops threads in given places has to contain at least: a cheap proof that
// there is none.
//
// A thread that stops while it holds a lock keeps it. So a section of that lock in another thread
// that has begun has also ended, and what its end needs is in, too. If that drives a stopped
// thread past its stop, no reordering stops there. Counts per thread are all that is looked at:
// the cost does not depend on the length of the trace.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "order/facts.h"
#include "order/trace_order.h"

namespace heddle::order {

// Raises the counts; false when they get past a stop.
bool close_needs(const Facts& facts, std::vector<std::uint32_t>& counts,
                 std::span<const Stop> stops);

}  // namespace heddle::order
