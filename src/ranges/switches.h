// Context-switch edges: from which node to which node a graph lets control go.
//
// Two threads: those of the MATs (in the CCFG all), without those that locks forbid.
//
// Three threads or more: the paper takes the MATs' switches pair by pair, and loses classes
// that need a switch between two threads that conflict only with a third. Here there are two
// ways. `complete`: from every node to every node of another thread, so that every sequence of
// whole transactions is a path. `influence`: only to nodes whose thread can still be
// influenced by the other one, where some step of the one can come, by a chain of conflicts and
// program order through any threads, before a step that the other has ahead of it. Paths then
// do not show all sequences, but each value that a step reads comes along some path:
// from its writer on through the writer's thread, and by one switch to the reader. That is
// enough where the intervals of all paths to a node are joined (fixpoint.h).
#pragma once

#include "ranges/graph.h"
#include "ranges/transactions.h"

namespace heddle::ranges {

// Sorted by source for two threads. `from_mats` is what the MATs allow; without MATs, all pairs
// count.
Switches find_switches(const Program& program, const Boundaries& boundaries,
                       const Switches* from_mats, Switching switching);

}  // namespace heddle::ranges
