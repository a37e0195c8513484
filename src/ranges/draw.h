// Pictures of a graph: text for Graphviz, and a drawing of its own.
//
// A column per thread, in program order from top to bottom; solid lines are transactions,
// dashed ones context switches. The drawing needs no other program.
#pragma once

#include <string>

#include "ranges/graph.h"

namespace heddle::ranges {

std::string graphviz(const Graph& graph);
std::string svg(const Graph& graph);

}  // namespace heddle::ranges
