#include "ranges/walk.h"

#include <algorithm>
#include <functional>

namespace heddle::ranges {

Walk::Walk(const Graph& graph, Joins joins)
    : graph_(graph),
      flow_(graph.program().flow),
      waiting_(flow_.size()),
      meets_(flow_.size(), false),
      so_far_(flow_.size()) {
  if (joins == Joins::within_a_walk) return;
  Table<PointId, bool> entered(flow_.size(), false);
  for (const PointId point : indices(meets_)) {
    for (const Edge& edge : flow_.edges(point)) {
      meets_[edge.target] = entered[edge.target];
      entered[edge.target] = true;
    }
  }
}

// Points are taken in order, so that all that leads to one has been joined before it is left.
void Walk::run(NodeId node, const Environment& environment, Record* record, Ends& ends) {
  ends.clear();
  written_.clear();
  follow(graph_.point(node), environment, record, ends);
  while (!open_.empty()) {
    std::pop_heap(open_.begin(), open_.end(), std::greater<>());
    const PointId point = open_.back();
    open_.pop_back();
    Environment here = std::move(waiting_[point]);
    waiting_[point].clear();
    join_earlier_walks(point, here);
    follow(point, here, record, ends);
  }
  if (record == nullptr) return;
  for (const auto& [end, arrived] : ends) record->arrive(graph_.point(end), arrived);
}

void Walk::follow(PointId point, const Environment& environment, Record* record, Ends& ends) {
  if (record != nullptr) look_at(point, environment, *record);
  for (const Edge& edge : flow_.edges(point)) {
    Environment behind = environment;
    apply(flow_.model(), flow_.transition(edge), behind, outcome_);
    if (behind.empty()) continue;
    note_writes();
    if (record != nullptr) record->write(flow_.edge_index(edge), outcome_);
    if (!graph_.is_node(edge.target)) {
      if (waiting_[edge.target].empty()) {
        open_.push_back(edge.target);
        std::push_heap(open_.begin(), open_.end(), std::greater<>());
      }
      waiting_[edge.target].join(behind);
      continue;
    }
    const NodeId end = graph_.node_at(edge.target);
    const auto known = std::find_if(ends.begin(), ends.end(),
                                    [&](const auto& entry) { return entry.first == end; });
    known == ends.end() ? static_cast<void>(ends.emplace_back(end, std::move(behind)))
                        : static_cast<void>(known->second.join(behind));
  }
}

void Walk::join_earlier_walks(PointId point, Environment& environment) {
  if (!meets_[point]) return;
  so_far_[point].join(environment);
  environment = so_far_[point];
}

void Walk::note_writes() {
  for (const Write& write : outcome_.writes) {
    if (write.first_word >= flow_.model().layout.shared_words) continue;
    for (std::uint32_t i = 0; i < write.length; ++i) written_.push_back(write.first_word + i);
  }
}

// Also of transitions that were left out of the flow because they cannot succeed.
void Walk::look_at(PointId point, const Environment& environment, Record& record) {
  record.arrive(point, environment);
  if (flow_[point].cut) return;
  for (const model::Transition& transition : flow_.model().transitions_of(flow_[point].state)) {
    Environment behind = environment;
    apply(flow_.model(), transition, behind, outcome_);
    const bool asserts = transition.kind == model::TransitionKind::assertion;
    if (asserts && !outcome_.holds) record.unproved[point] = true;
    if (outcome_.may_fail) record.may_fail[point] = true;
  }
}

}  // namespace heddle::ranges
