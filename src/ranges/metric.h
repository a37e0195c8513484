// The interval metric: how many bits the intervals need.
//
// Own variables count where they are assigned; shared ones where they are assigned and, all
// of them, where a transaction begins. An interval of n values needs the bits that tell n
// values apart: none for a constant. (The paper's log2(u - l) has no value there.)
#pragma once

#include <cstdint>

#include "ranges/graph.h"
#include "ranges/propagate.h"

namespace heddle::ranges {

std::uint32_t bits_of(Interval interval);

struct Metric {
  std::uint64_t local = 0;   // RB_l
  std::uint64_t global = 0;  // RB_g
};
Metric measure(const Graph& graph, const Propagation& propagation);

}  // namespace heddle::ranges
