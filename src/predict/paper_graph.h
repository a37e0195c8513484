// The graphs of the NDET paper over one trace: the order with the edges that locks induce, and
// the choices that it leaves open.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "order/chain_order.h"
#include "order/search.h"

namespace heddle::predict {

using order::Node;
using Edge = std::pair<Node, Node>;

// What never changes for a trace.
class PaperTrace {
 public:
  explicit PaperTrace(const order::Facts& facts);

  const order::Facts& facts() const { return facts_; }
  // Fork, join, wait and notify, and the observed order at objects that are no locks.
  const std::vector<Edge>& sync_edges() const { return sync_edges_; }
  // These and all read-couples that touch the event.
  std::span<const Edge> edges_of(Node node) const;
  // The bounds of the meta-vertex of the lock abstraction graph that an event belongs to: of
  // scopes that overlap, the first and the last event.
  std::uint32_t meta_begin(Node node) const;
  std::uint32_t meta_end(Node node) const;

 private:
  struct Interval {
    std::uint32_t first;
    std::uint32_t last;
  };

  void find_sync_edges();
  void find_notifies();
  void find_metas();
  void sort_edges();
  const Interval* meta(Node node) const;

  const order::Facts& facts_;
  std::vector<Edge> sync_edges_;
  std::vector<Edge> edges_by_node_;           // each stands with both of its ends
  std::vector<std::uint32_t> first_edge_;     // by event
  std::vector<std::vector<Interval>> metas_;  // by thread
};

class PaperGraph {
 public:
  // Of all events, or of none, to grow later; with the synchronisation.
  enum class Start { complete, empty };
  PaperGraph(const PaperTrace& trace, Start start);

  // Lets more events of a thread be in. Read-couples and synchronisation come with their ends. The
  // graph of fewer events is part of the graph of more, so that no edge has to go. All of this
  // cannot be undone.
  void grow(ThreadId thread, std::uint32_t length);

  bool contains(Node node) const { return node.index < lengths_[node.thread.value()]; }
  const order::ChainOrder& order() const { return order_; }

  // Adds an edge and what it induces. False on a cycle; then only undo() makes sense.
  bool add(Node a, Node b);
  order::ChainOrder::Mark mark() const { return order_.mark(); }
  void undo(order::ChainOrder::Mark mark);

  // The pairs of unordered scopes on the ways from a head of these edges back to its tail, each
  // with the two edges that order it, the observed one first.
  struct Choice {
    Edge observed;
    Edge turned;
    std::uint64_t key;  // its place in the order of the trace, the nearest scope first
  };
  std::vector<Choice> choices(std::span<const Edge> witness_edges);

  // Whether one way of ordering the choices is acyclic; counts those that were tried.
  order::Answer has_acyclic_choice(std::span<const Choice> choices, std::uint64_t most,
                                   std::uint64_t& tried);

  // The pairs of scopes that exclude each other and are not ordered, and perhaps some that are by
  // now; more edges never add one.
  struct OpenPair {
    order::SectionId first;
    order::SectionId second;
    Node a;  // where they begin
    Node b;
  };
  // Leaves out those that are ordered, and gives back the list as it was.
  std::vector<OpenPair> forget_ordered_pairs();
  void restore_pairs(std::vector<OpenPair> pairs) { open_ = std::move(pairs); }

  // Where a scope ends, as far as it is not taken out.
  Node end_of(const order::Section& section) const;
  static Node begin_of(const order::Section& section) { return {section.thread, section.acquire}; }

 private:
  using Positions = std::vector<std::uint32_t>;

  const order::Facts& facts() const { return trace_.facts(); }
  void add_edges_of(Node node);
  void lengthen(const order::Section& section);
  void follow(const order::ChainOrder::Change& change);
  void order_after(const order::Section& section, ThreadId other, std::uint32_t count);
  bool unordered(const order::Section& a, const order::Section& b) const;
  bool is_open(const OpenPair& pair) const;
  void open_pairs_of(order::SectionId id);

  bool add_edge(Node a, Node b);
  bool is_acyclic_as_observed(std::span<const Choice> choices) const;

  // Reachability in the lock abstraction graph, choice edges walked both ways: the first event
  // of each thread that is reached, and how many events of each reach.
  void reach_forward(Node from, Positions& first);
  void reach_backward(Node to, Positions& count);
  void collect(const Positions& first, const Positions& count, std::vector<Choice>& result);

  const PaperTrace& trace_;
  std::vector<std::uint32_t> lengths_;
  order::ChainOrder order_;
  bool cyclic_ = false;
  std::vector<OpenPair> open_;
  std::size_t still_open_ = 16;  // when they were last looked through
  std::vector<order::ChainOrder::Change> changes_;
  Positions first_;
  Positions count_;
  // What lies between the ends of edges against the order of the trace. Only witnesses have such
  // edges, so that undo() forgets it.
  EventId first_turned_ = EventId::none();
  EventId last_turned_{0};
};

}  // namespace heddle::predict
