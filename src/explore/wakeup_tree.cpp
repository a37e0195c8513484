#include "explore/wakeup_tree.h"

#include <algorithm>
#include <utility>

namespace heddle {

WakeupTrees::Taken WakeupTrees::take_first(Branches& branches) {
  const NodeIndex index = branches.first;
  const Node& node = nodes_[index];
  branches.first = node.next_sibling;
  free(index);
  return {node.transition, accesses(index), node.accesses_are_known, node.below};
}

WakeupTrees::Branches WakeupTrees::take(Branches& branches, Transition transition) {
  NodeIndex* const place = find(branches, transition);
  const NodeIndex node = *place;
  if (node == kNone) return {};
  const Branches below = nodes_[node].below;
  *place = nodes_[node].next_sibling;
  free(node);
  return below;
}

// Where the branch that starts with the transition hangs, or would be added.
WakeupTrees::NodeIndex* WakeupTrees::find(Branches& branches, Transition transition) {
  NodeIndex* place = &branches.first;
  while (*place != kNone && nodes_[*place].transition != transition) {
    place = &nodes_[*place].next_sibling;
  }
  return place;
}

WakeupTrees::Branches& WakeupTrees::below(Branches& branches, std::span<const Step> path) {
  Branches* at = &branches;
  for (const Step& step : path) {
    add_transition(*at, step.transition, step.accesses);
    at = &nodes_[*find(*at, step.transition)].below;
  }
  return *at;
}

void WakeupTrees::add_transition(Branches& branches, Transition transition,
                                 std::span<const Access> accesses) {
  NodeIndex* const place = find(branches, transition);
  if (*place != kNone) return;
  const NodeIndex node = make(transition, accesses);
  *place = node;
}

Reversal::Place WakeupTrees::insert(Branches& branches, Reversal& reversal,
                                    CheckCounters& counters) {
  Reversal::Place last = 0;
  NodeIndex* place = &branches.first;
  while (*place != kNone) {
    Node& node = nodes_[*place];
    const std::span<const Access> accesses = this->accesses(*place);
    const auto initial = reversal.weak_initial(node.transition, accesses, counters);
    if (!initial) {
      last = std::max(last, reversal.need_waker_of(node.transition, accesses, counters));
      place = &node.next_sibling;
      continue;
    }
    last = std::max(last, *initial);
    if (*initial < reversal.end()) reversal.take(*initial);
    if (reversal.is_reversed() || node.below.empty()) return last;
    place = &node.below.first;
  }
  const NodeIndex chain = make_chain(reversal);
  *place = chain;
  return last;
}

void WakeupTrees::drop(Branches& branches) {
  while (!branches.empty()) {
    Branches below = take_first(branches).below;
    drop(below);
  }
}

WakeupTrees::NodeIndex WakeupTrees::make_chain(const Reversal& reversal) {
  NodeIndex below = kNone;
  for (Reversal::Place i = reversal.end(); i-- > reversal.begin();) {
    if (!reversal.needs(i)) continue;
    const NodeIndex node = make(reversal.transition(i), reversal.accesses(i));
    nodes_[node].accesses_are_known = !reversal.is_later(i);
    nodes_[node].below = {below};
    below = node;
  }
  return below;
}

WakeupTrees::NodeIndex WakeupTrees::make(Transition transition, std::span<const Access> accesses) {
  if (free_ == kNone) {
    nodes_.emplace_back();
    free_ = static_cast<NodeIndex>(nodes_.size() - 1);
  }
  const NodeIndex index = free_;
  Node& node = nodes_[index];
  free_ = node.next_sibling;
  node.transition = transition;
  set_accesses(index, accesses);
  node.accesses_are_known = true;
  node.below = {};
  node.next_sibling = kNone;
  return index;
}

std::span<const Access> WakeupTrees::accesses(NodeIndex node) const {
  const std::size_t count = nodes_[node].access_count;
  if (count <= kFewAccesses) return {nodes_[node].few.data(), count};
  return many_[node];
}

void WakeupTrees::set_accesses(NodeIndex node, std::span<const Access> accesses) {
  nodes_[node].access_count = static_cast<std::uint32_t>(accesses.size());
  if (accesses.size() <= kFewAccesses) {
    std::copy(accesses.begin(), accesses.end(), nodes_[node].few.begin());
    return;
  }
  if (many_.size() <= node) many_.resize(nodes_.size());
  many_[node].assign(accesses.begin(), accesses.end());
}

void WakeupTrees::free(NodeIndex node) {
  nodes_[node].next_sibling = free_;
  free_ = node;
}

}  // namespace heddle
