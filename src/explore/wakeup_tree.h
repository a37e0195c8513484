// Wakeup trees: the sequences that ODPOR still has to explore at a node, sharing their
// beginnings, in the order in which they will be explored.
//
// A branch is a chain of transitions; its end is a leaf, from where everything is
// explored, so a new sequence that is equivalent to a continuation of a branch up to its
// leaf adds nothing. Nodes come from a pool and go back to it, so that a long search does
// not grow. [Abdulla et al., see reversal.h]
#pragma once

#include <array>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "explore/reversal.h"

namespace heddle {

class WakeupTrees {
 public:
  using NodeIndex = std::uint32_t;
  static constexpr NodeIndex kNone = 0xffffffff;

  // The branches below one node of the search, first one first.
  struct Branches {
    NodeIndex first = kNone;
    bool empty() const { return first == kNone; }
  };

  struct Step {
    Transition transition;
    std::span<const Access> accesses;
  };

  explicit WakeupTrees(std::pmr::memory_resource* memory) : chunks_(memory), many_(memory) {}

  // A branch that was taken off. What is accessed stays there until the next change.
  struct Taken {
    Transition transition;
    std::span<const Access> accesses;
    bool accesses_are_known;  // otherwise they were such before the reversal
    Branches below;
  };
  Taken take_first(Branches& branches);
  // Takes off the branch that starts with the transition, if there is one: what is below it.
  Branches take(Branches& branches, Transition transition);
  // The branches at the end of the path, which is added as far as it is not there.
  Branches& below(Branches& branches, std::span<const Step> path);
  // Adds a branch of one transition at the end, unless there is one that starts with it.
  void add_transition(Branches& branches, Transition transition, std::span<const Access> accesses);
  // Adds what is needed of the reversal, which is used up, unless a branch covers it. Returns
  // the last place that this depended on; the reversal's end if it is outside.
  Reversal::Place insert(Branches& branches, Reversal& reversal, CheckCounters& counters);
  void drop(Branches& branches);
  // Brings the first of them near, for somebody who will look at it soon.
  void fetch(const Branches& branches) const {
    if (!branches.empty()) __builtin_prefetch(&node(branches.first));
  }

 private:
  // Most nodes are touched once, long after they were made; so one is one cache line, and
  // chunks are so large that the way to a node is always in the cache.
  static constexpr std::size_t kNodesPerChunk = 1024;
  static constexpr std::size_t kFewAccesses = 5;
  struct alignas(64) Node {
    Transition transition;
    Branches below;
    NodeIndex next_sibling = kNone;
    std::uint32_t access_count = 0;
    bool accesses_are_known = true;
    std::array<Access, kFewAccesses> few;  // if they fit in here; otherwise they are in many_
  };

  Node& node(NodeIndex index) { return chunks_[index / kNodesPerChunk][index % kNodesPerChunk]; }
  const Node& node(NodeIndex index) const {
    return chunks_[index / kNodesPerChunk][index % kNodesPerChunk];
  }
  std::span<const Access> accesses(NodeIndex index) const;
  void set_accesses(NodeIndex index, std::span<const Access> accesses);
  NodeIndex* find(Branches& branches, Transition transition);
  NodeIndex make(Transition transition, std::span<const Access> accesses);
  NodeIndex make_chain(const Reversal& reversal);
  void grow();
  void free(NodeIndex index);

  std::pmr::vector<std::pmr::vector<Node>> chunks_;  // no node ever moves
  std::pmr::vector<std::pmr::vector<Access>> many_;  // by node
  NodeIndex free_ = kNone;                           // chained by next_sibling
};

}  // namespace heddle
