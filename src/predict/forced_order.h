// Whether one event happens before another in every reordering that a saturated question leaves:
// the quick no for the question whether two accesses can be unordered.
//
// It follows synchronisation that is there in any case: the order of threads, fork and join, and
// the sections of a lock whose order is forced. What it says is true; what it does not see is for
// the search.
#pragma once

#include <cstdint>
#include <span>

#include "order/saturation.h"

namespace heddle::predict {

// `first` is included, the thread of `second` stops in front of it.
bool is_ordered_always(const order::Facts& facts, const order::Saturation& saturation,
                       EventId first, EventId second);

// The same from what every reordering that answers the question has to contain.
bool is_ordered_by_needs(const order::Facts& facts, std::span<const std::uint32_t> counts,
                         EventId first, EventId second);

}  // namespace heddle::predict
