// Reachability in a partial order of k chains, under insertion of edges and undo.
//
// For each pair of chains (q, p) one staircase says how much of p comes before which event of
// q: a step (b, v) means that the first v events of p precede event b of q and all later ones.
// Steps rise in both coordinates, so that the same staircase answers both questions: what
// precedes an event, and what is the first event of another chain that it precedes. This is the
// sparse form of k vector clocks per event: only events at which something is learned have a
// step, and the order is kept closed, so a query is one binary search. (The structure is what
// Tunc, Deshmukh, Cirisci, Enea and Pavlogiannis call collective sparse segment trees, ASPLOS
// 2024, with sorted steps in the place of the trees.)
//
// An edge from (i, a) to (j, b) joins, for all chains p and q, what precedes a in p to what
// follows b in q: k^2 steps at most, each O(log n) to find and a short move to put in. Every
// change is kept on a trail, so that undo() goes back to any earlier mark.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "order/facts.h"

namespace heddle::order {

class ChainOrder {
 public:
  using Mark = std::size_t;

  explicit ChainOrder(std::vector<std::uint32_t> lengths);

  // How many events of the chain precede the node; of its own chain those in front of it.
  std::uint32_t before(Node node, ThreadId chain) const;
  // The index of the chain's first event that the node precedes; kNever when there is none.
  std::uint32_t after(Node node, ThreadId chain) const;
  bool precedes(Node a, Node b) const {
    return a.thread == b.thread ? a.index < b.index : before(b, a.thread) > a.index;
  }

  // What an edge added: the first `count` events of `from` now precede event `index` of `to`
  // and its later ones; those from `until` on they preceded before.
  struct Change {
    ThreadId from;
    std::uint32_t count;
    ThreadId to;
    std::uint32_t index;
    std::uint32_t until;
  };
  // Lets a precede b. False, and nothing changes, when b precedes a or is a. The changes that
  // it makes are added to the list.
  bool add(Node a, Node b, std::vector<Change>& changes);
  bool add(Node a, Node b) {
    unheeded_.clear();
    return add(a, b, unheeded_);
  }
  // Adds a step of which it is known that the order stays closed: for orders that are made from
  // clocks. Indices of a pair of chains have to come in rising order.
  void append_step(ThreadId to, std::uint32_t index, ThreadId from, std::uint32_t count);

  Mark mark() const { return trail_.size(); }
  void undo(Mark mark);
  // Forgets the way back to here: what was added so far stays.
  void keep() { trail_.clear(); }

  std::size_t chain_count() const { return lengths_.size(); }

 private:
  struct Step {
    std::uint32_t index;
    std::uint32_t count;
  };
  using Stairs = std::vector<Step>;
  struct Undo {
    std::uint32_t stairs;
    std::uint32_t position;
    bool inserted;  // else a step was taken out
    Step step;
  };

  Stairs& stairs(ThreadId to, ThreadId from) {
    return stairs_[to.value() * lengths_.size() + from.value()];
  }
  const Stairs& stairs(ThreadId to, ThreadId from) const {
    return stairs_[to.value() * lengths_.size() + from.value()];
  }
  void insert(ThreadId to, std::uint32_t index, ThreadId from, std::uint32_t count,
              std::vector<Change>& changes);

  std::vector<std::uint32_t> lengths_;
  std::vector<Stairs> stairs_;
  std::vector<Undo> trail_;
  std::vector<Change> unheeded_;
  std::vector<std::uint32_t> before_;  // of the edge that is being added, by chain
  std::vector<std::uint32_t> after_;
};

}  // namespace heddle::order
