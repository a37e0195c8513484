// ChainOrder against the transitive closure of a plain graph.
#include "order/chain_order.h"

#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace heddle::order {
namespace {

// The slow twin: edges, and reachability by walking along them.
class Graph {
 public:
  explicit Graph(std::vector<std::uint32_t> lengths) : lengths_(std::move(lengths)) {}

  void add(Node a, Node b) { edges_.emplace_back(a, b); }
  void take_back() { edges_.pop_back(); }

  bool precedes(Node a, Node b) const {
    std::vector<Node> todo = {a};
    std::set<std::pair<std::uint32_t, std::uint32_t>> met;
    while (!todo.empty()) {
      const Node at = todo.back();
      todo.pop_back();
      for (Node next : successors(at)) {
        if (next == b) return true;
        if (met.insert({next.thread.value(), next.index}).second) todo.push_back(next);
      }
    }
    return false;
  }

 private:
  std::vector<Node> successors(Node at) const {
    std::vector<Node> result;
    if (at.index + 1 < lengths_[at.thread.value()]) result.push_back({at.thread, at.index + 1});
    for (const auto& [a, b] : edges_) {
      if (a == at) result.push_back(b);
    }
    return result;
  }

  std::vector<std::uint32_t> lengths_;
  std::vector<std::pair<Node, Node>> edges_;
};

Node random_node(const std::vector<std::uint32_t>& lengths) {
  const auto chain =
      *rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(lengths.size()));
  return {ThreadId(chain), *rc::gen::inRange<std::uint32_t>(0, lengths[chain])};
}

void compare(const ChainOrder& order, const Graph& graph,
             const std::vector<std::uint32_t>& lengths) {
  for (ThreadId p : indices<ThreadId>(lengths.size())) {
    for (std::uint32_t i = 0; i < lengths[p.value()]; ++i) {
      for (ThreadId q : indices<ThreadId>(lengths.size())) {
        std::uint32_t first = kNever;
        for (std::uint32_t j = lengths[q.value()]; j-- > 0;) {
          const bool expected = graph.precedes({p, i}, {q, j});
          RC_ASSERT(order.precedes({p, i}, {q, j}) == expected);
          if (expected) first = j;
        }
        RC_ASSERT(order.after({p, i}, q) == first);
      }
    }
  }
}

RC_GTEST_PROP(ChainOrder, ReachesWhatAGraphReachesUnderInsertionAndUndo, ()) {
  const auto lengths = *rc::gen::container<std::vector<std::uint32_t>>(
      *rc::gen::inRange<std::size_t>(2, 5), rc::gen::inRange<std::uint32_t>(1, 6));
  ChainOrder order(lengths);
  Graph graph(lengths);
  std::vector<ChainOrder::Mark> marks;
  const auto operations = *rc::gen::inRange(1, 25);
  for (int i = 0; i < operations; ++i) {
    if (!marks.empty() && *rc::gen::inRange(0, 4) == 0) {
      order.undo(marks.back());
      marks.pop_back();
      graph.take_back();
      continue;
    }
    const Node a = random_node(lengths);
    const Node b = random_node(lengths);
    const bool cycle = a == b || graph.precedes(b, a);
    const ChainOrder::Mark mark = order.mark();
    RC_ASSERT(order.add(a, b) == !cycle);
    if (cycle) continue;
    marks.push_back(mark);
    graph.add(a, b);
  }
  compare(order, graph, lengths);
}

}  // namespace
}  // namespace heddle::order
