// Mazurkiewicz classes of the executions of a small model that end well, by brute force.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include "ranges/graph.h"

namespace heddle {

using TraceClass = std::vector<std::uint64_t>;

// Whether control may go from where one thread stands to where another one does.
using MaySwitch = std::function<bool(ranges::PointId, ranges::PointId)>;

struct Classes {
  std::set<TraceClass> found;
  bool complete = true;  // there were not too many
};

// Only executions in which every switch is allowed. The model must have no loops.
Classes classes_of(const ranges::Program& program, const MaySwitch& may_switch, std::size_t limit);

}  // namespace heddle
