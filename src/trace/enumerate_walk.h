// The walk of the enumerator: breadth first through all states of a trace's reorderings.
//
// A node is a state, a sequence that leads to it, and a memory of what the state does not
// know of its past and the question needs. Nodes whose state and memory have the same key
// have the same future, so only the first of them is visited; breadth first makes its
// sequence, and so each witness, as short as any.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "trace/reordering.h"

namespace heddle::enumeration {

// How many states may still be visited.
class Budget {
 public:
  explicit Budget(std::size_t states) : left_(states) {}
  // False, from then on, when there are none left.
  bool take() {
    exhausted_ = exhausted_ || left_ == 0;
    if (!exhausted_) --left_;
    return !exhausted_;
  }
  bool exhausted() const { return exhausted_; }
  std::size_t left() const { return left_; }

 private:
  std::size_t left_;
  bool exhausted_ = false;
};

template <typename Memory>
struct Node {
  ReorderingState state;
  Memory memory;
  std::vector<EventId> sequence;
};

template <typename Memory>
std::string key_of(const Node<Memory>& node) {
  std::string key;
  node.state.append_key(key);
  node.memory.append_key(node.state, key);
  return key;
}

template <typename Memory>
Node<Memory> after(Node<Memory> node, EventId e) {
  node.memory.append(node.state, e);
  node.state.append(e);
  node.sequence.push_back(e);
  return node;
}

// The events that may come next with the outcome that they had.
inline std::vector<EventId> possible_events(const ReorderingState& state, std::size_t threads) {
  std::vector<EventId> result;
  for (ThreadId t : indices<ThreadId>(threads)) {
    const EventId e = state.next_event(t);
    if (e.valid() && !state.broken_rule(e)) result.push_back(e);
  }
  return result;
}

// Calls visit with every node that can be reached from the root, until the budget is spent.
template <typename Memory, typename Visit>
void walk(Node<Memory> root, std::size_t threads, Budget& budget, Visit visit) {
  std::unordered_set<std::string> met = {key_of(root)};
  std::deque<Node<Memory>> queue;
  queue.push_back(std::move(root));
  while (!queue.empty() && budget.take()) {
    const Node<Memory> node = std::move(queue.front());
    queue.pop_front();
    visit(node);
    for (EventId e : possible_events(node.state, threads)) {
      Node<Memory> child = after(node, e);
      if (met.insert(key_of(child)).second) queue.push_back(std::move(child));
    }
  }
}

}  // namespace heddle::enumeration
