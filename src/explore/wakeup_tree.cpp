#include "explore/wakeup_tree.h"

#include <utility>

namespace heddle {

std::pair<Transition, WakeupTrees::Branches> WakeupTrees::take_first(Branches& branches) {
  const NodeIndex node = branches.first;
  const std::pair<Transition, Branches> taken = {nodes_[node].transition,
                                                 {nodes_[node].first_child}};
  branches.first = nodes_[node].next_sibling;
  free(node);
  return taken;
}

void WakeupTrees::add_transition(Branches& branches, Transition transition,
                                 std::span<const Access> accesses) {
  NodeIndex* place = &branches.first;
  for (; *place != kNone; place = &nodes_[*place].next_sibling) {
    if (nodes_[*place].transition == transition) return;
  }
  const NodeIndex node = make(transition, accesses);
  *place = node;
}

bool WakeupTrees::insert(Branches& branches, Sequence& sequence, CheckCounters& counters) {
  bool lasting = true;
  NodeIndex* place = &branches.first;
  while (*place != kNone && !sequence.empty()) {
    Node& node = nodes_[*place];
    const auto initial = sequence.weak_initial(node.transition, node.accesses, counters);
    if (!initial) {
      place = &node.next_sibling;
      continue;
    }
    const bool inside = *initial < sequence.end();
    lasting = lasting && inside && sequence.is_lasting(*initial);
    if (inside) sequence.take(*initial);
    if (node.first_child == kNone) return lasting;
    place = &node.first_child;
  }
  if (sequence.empty()) return false;
  const NodeIndex chain = make_chain(sequence);
  *place = chain;
  return false;
}

void WakeupTrees::drop(Branches& branches) {
  while (!branches.empty()) {
    Branches below = take_first(branches).second;
    drop(below);
  }
}

WakeupTrees::NodeIndex WakeupTrees::make_chain(const Sequence& sequence) {
  NodeIndex below = kNone;
  for (Sequence::Place i = sequence.end(); i-- > 0;) {
    if (!sequence.has(i)) continue;
    const NodeIndex node = make(sequence.transition(i), sequence.accesses(i));
    nodes_[node].first_child = below;
    below = node;
  }
  return below;
}

WakeupTrees::NodeIndex WakeupTrees::make(Transition transition, std::span<const Access> accesses) {
  if (free_ == kNone) {
    nodes_.emplace_back(memory_);
    free_ = static_cast<NodeIndex>(nodes_.size() - 1);
  }
  const NodeIndex index = free_;
  Node& node = nodes_[index];
  free_ = node.next_sibling;
  node.transition = transition;
  node.accesses.assign(accesses.begin(), accesses.end());
  node.first_child = kNone;
  node.next_sibling = kNone;
  return index;
}

void WakeupTrees::free(NodeIndex node) {
  nodes_[node].next_sibling = free_;
  free_ = node;
}

}  // namespace heddle
