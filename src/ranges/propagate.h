// RPT: range propagation on a transaction sequence graph.
//
// Each node has an environment: the intervals of what its thread sees when it goes on from
// there. One step of propagation carries the environment of a node over `lookahead`
// transactions, with a switch or none before each but the first, and joins what comes out
// into the node where that ends; and its shared part into all nodes to which control may be
// switched from there. A thread's own variables stay as they were when it stopped, so after a
// switch they are taken from the node that is switched to.
//
// With lookahead 1 a switch carries only the variables that the thread it leads away from has
// written itself on its way. A step reads what was written last, by its own thread, whose
// value stays in that thread's environments, or by another one, whose value comes from there
// by one switch: no third thread need carry it. So a thread does not hear from others of what
// it will write only later.
//
// Graphs have cycles though executions have none: control may be switched back to a node that
// was passed before. So propagation is bounded, by time. A thread's steps from its beginning
// to a point, on the longest way, are the point's age; the time of an arrival is the sum of
// the ages of all threads, as far as a path knows. In an execution no thread gets older
// than its longest way, so at each node there is a last time when something can still
// arrive. Times add up along a path, however it is cut into transactions; so a graph with
// fewer nodes and switches hardly ever comes to wider intervals.
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
