// RPT: range propagation on a transaction sequence graph.
//
// Each node has an environment: the intervals of what its thread sees when it goes on from
// there. One step of propagation carries the environment of a node over `lookahead`
// transactions, with a switch or none before each but the first, and joins what comes out
// into the node where that ends; and its shared part into all nodes to which control may be
// switched from there. A thread's own variables stay as they were when it stopped, so after a
// switch they are taken from the node that is switched to. Time bounds it (ages.h).
//
// With lookahead 1 all of that is one fixpoint, which is better found in another way
// (fixpoint.h); with more, paths are followed one by one.
//
// As published, the steps are counted instead of time, as many as there are transactions,
// and each step carries on only what the one before it brought; `published` does that.
#pragma once

#include "ranges/graph.h"
#include "ranges/record.h"

namespace heddle::ranges {

struct PropagateOptions {
  std::uint32_t lookahead = 1;
  bool published = false;
};

// With three threads and lookahead 2 or more, or as published, paths have to show whole
// executions, so the graph must have the switching that this says.
Switching needed_switching(const PropagateOptions& options);

struct Propagation {
  Record record;
  Table<NodeId, Environment> at_node;  // where transactions begin; empty: not reached
  std::size_t iterations = 0;          // the last time, or the steps
};

Propagation propagate(const Graph& graph, const PropagateOptions& options);

}  // namespace heddle::ranges
