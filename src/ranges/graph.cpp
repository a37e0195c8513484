#include "ranges/graph.h"

#include <algorithm>

#include "ranges/switches.h"
#include "ranges/transactions.h"

namespace heddle::ranges {

std::string_view name_of(GraphKind kind) {
  switch (kind) {
    case GraphKind::ccfg: return "ccfg";
    case GraphKind::tsg: return "tsg";
    default: return "tsg-prime";
  }
}

namespace {

// Those of GenMAT' are split only where those of GenMAT are.
void split_all(const Program& program, GraphKind kind, Boundaries& boundaries) {
  if (kind == GraphKind::tsg) return split(program, boundaries);
  Boundaries wider = mat_boundaries(program, find_mats(program, {.rule = MatRule::any}));
  split(program, wider);
  split(program, boundaries, &wider);
}

}  // namespace

Graph::Graph(const Program& program, GraphKind kind, Switching switching)
    : program_(program), kind_(kind) {
  const bool with_mats = kind != GraphKind::ccfg;
  Boundaries boundaries;
  if (with_mats) {
    const bool feasible = kind == GraphKind::tsg_prime;
    mats_ = find_mats(program, {feasible ? MatRule::feasible : MatRule::any});
    mat_switches_ = switches_of(mats_);
    boundaries = mat_boundaries(program, mats_);
    if (program.model().threads.size() > 2) split_all(program, kind, boundaries);
  } else {
    boundaries = access_boundaries(program);
  }
  add_nodes(boundaries);
  add_transactions();
  switches_.resize(points_.size());
  for (const ContextSwitch& change :
       find_switches(program, boundaries, with_mats ? &mat_switches_ : nullptr, switching)) {
    switches_[nodes_[change.source]].push_back(nodes_[change.target]);
  }
}

void Graph::add_nodes(const Table<PointId, bool>& boundaries) {
  nodes_.resize(boundaries.size());
  for (const PointId point : indices(boundaries)) {
    if (boundaries[point]) nodes_[point] = points_.add(point);
  }
}

void Graph::add_transactions() {
  for (const NodeId node : indices(points_)) {
    std::vector<PointId> open{points_[node]}, seen;
    std::vector<NodeId> ends;
    while (!open.empty()) {
      const PointId from = open.back();
      open.pop_back();
      for (const PointId target : program_.conflicts.targets(from)) {
        if (std::find(seen.begin(), seen.end(), target) != seen.end()) continue;
        seen.push_back(target);
        is_node(target) ? ends.push_back(nodes_[target]) : open.push_back(target);
      }
    }
    std::sort(ends.begin(), ends.end());
    for (const NodeId end : ends) transactions_.push_back({node, end});
  }
}

std::size_t Graph::switch_count() const {
  std::size_t count = 0;
  for (const auto& list : switches_) count += list.size();
  return count;
}

}  // namespace heddle::ranges
