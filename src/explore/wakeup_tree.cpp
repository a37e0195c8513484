#include "explore/wakeup_tree.h"

#include <algorithm>
#include <utility>

namespace heddle {

WakeupTrees::Taken WakeupTrees::take_first(Branches& branches) {
  const NodeIndex index = branches.first;
  const Node& taken = node(index);
  branches.first = taken.next_sibling;
  fetch(taken.below);  // for after the next step
  free(index);
  return {taken.transition, accesses(index), taken.accesses_are_known, taken.below};
}

WakeupTrees::Branches WakeupTrees::take(Branches& branches, Transition transition) {
  NodeIndex* const place = find(branches, transition);
  const NodeIndex index = *place;
  if (index == kNone) return {};
  const Branches below = node(index).below;
  *place = node(index).next_sibling;
  free(index);
  return below;
}

// Where the branch that starts with the transition hangs, or would be added.
WakeupTrees::NodeIndex* WakeupTrees::find(Branches& branches, Transition transition) {
  NodeIndex* place = &branches.first;
  while (*place != kNone && node(*place).transition != transition) {
    place = &node(*place).next_sibling;
  }
  return place;
}

WakeupTrees::Branches& WakeupTrees::below(Branches& branches, std::span<const Step> path) {
  Branches* at = &branches;
  for (const Step& step : path) {
    add_transition(*at, step.transition, step.accesses);
    at = &node(*find(*at, step.transition)).below;
  }
  return *at;
}

void WakeupTrees::add_transition(Branches& branches, Transition transition,
                                 std::span<const Access> accesses) {
  NodeIndex* const place = find(branches, transition);
  if (*place != kNone) return;
  *place = make(transition, accesses);
}

Reversal::Place WakeupTrees::insert(Branches& branches, Reversal& reversal,
                                    CheckCounters& counters) {
  Reversal::Place last = 0;
  NodeIndex* place = &branches.first;
  while (*place != kNone) {
    Node& branch = node(*place);
    const std::span<const Access> accesses = this->accesses(*place);
    const auto initial = reversal.weak_initial(branch.transition, accesses, counters);
    if (!initial) {
      last = std::max(last, reversal.need_waker_of(branch.transition, accesses, counters));
      place = &branch.next_sibling;
      continue;
    }
    last = std::max(last, *initial);
    if (*initial < reversal.end()) reversal.take(*initial);
    if (reversal.is_reversed() || branch.below.empty()) return last;
    place = &branch.below.first;
  }
  *place = make_chain(reversal);
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
    const NodeIndex index = make(reversal.transition(i), reversal.accesses(i));
    node(index).accesses_are_known = !reversal.is_later(i);
    node(index).below = {below};
    below = index;
  }
  return below;
}

WakeupTrees::NodeIndex WakeupTrees::make(Transition transition, std::span<const Access> accesses) {
  if (free_ == kNone) grow();
  const NodeIndex index = free_;
  Node& made = node(index);
  free_ = made.next_sibling;
  made.transition = transition;
  set_accesses(index, accesses);
  made.accesses_are_known = true;
  made.below = {};
  made.next_sibling = kNone;
  return index;
}

// One more node, in the last chunk or a new one.
void WakeupTrees::grow() {
  if (chunks_.empty() || chunks_.back().size() == kNodesPerChunk) {
    chunks_.emplace_back().reserve(kNodesPerChunk);
  }
  chunks_.back().emplace_back();
  free_ = static_cast<NodeIndex>((chunks_.size() - 1) * kNodesPerChunk + chunks_.back().size() - 1);
}

std::span<const Access> WakeupTrees::accesses(NodeIndex index) const {
  const std::size_t count = node(index).access_count;
  if (count <= kFewAccesses) return {node(index).few.data(), count};
  return many_[index];
}

void WakeupTrees::set_accesses(NodeIndex index, std::span<const Access> accesses) {
  node(index).access_count = static_cast<std::uint32_t>(accesses.size());
  if (accesses.size() <= kFewAccesses) {
    std::copy(accesses.begin(), accesses.end(), node(index).few.begin());
    return;
  }
  if (many_.size() <= index) many_.resize(index + 1);
  many_[index].assign(accesses.begin(), accesses.end());
}

void WakeupTrees::free(NodeIndex index) {
  node(index).next_sibling = free_;
  free_ = index;
}

}  // namespace heddle
