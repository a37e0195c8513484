// The loops of a thread, nested: which states lie in which, and in which order they come.
//
// A loop is a strongly connected set of control states; the loops inside it are those that
// are left when the transitions back to its header are taken out. Within a loop, and outside
// of all loops, states and whole loops stand in topological order.
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.h"

namespace heddle::ranges {

using LoopId = Index<struct LoopTag>;

struct Loop {
  model::StateId header{};
  std::uint32_t rank = 0;  // among the states and loops that it stands beside
};

struct Loops {
  Table<LoopId, Loop> loops;
  Table<model::StateId, std::vector<LoopId>> around;  // outermost first
  Table<model::StateId, std::uint32_t> rank;          // within the innermost loop around it

  bool inside(model::StateId state, LoopId loop) const;
};

Loops find_loops(const model::Model& model);

}  // namespace heddle::ranges
