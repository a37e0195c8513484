// Whether a closed order with more edges, all of them in the order of the trace, has no cycle.
//
// The threads run, each as far as what must come before its next event has come; there is no cycle
// if all get to their end. Only a part of the trace has to be run: the first event of a cycle in
// the trace is the head of an edge against the order of the trace, and the last one the tail of
// such an edge. A thread that is held up remembers by whom, and is looked at again when that one
// is far enough. So a run costs a few look-ups for each time a thread is held up, where putting
// the edges into the order costs the square of the number of threads for each of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "order/chain_order.h"

namespace heddle::predict {

class ChoiceRun {
 public:
  // The events between which all edges of the order lie that are against the order of the trace.
  struct Extent {
    EventId first;
    EventId last;
  };
  ChoiceRun(const order::Facts& facts, const order::ChainOrder& order,
            std::span<const std::uint32_t> lengths, Extent turned);

  // Edges have to come in the order of the events that they lead to.
  void add(const std::pair<order::Node, order::Node>& edge);
  bool ends();

 private:
  struct Wait {
    ThreadId other;
    std::uint32_t count = 0;  // so many of its events have to come before
  };
  struct Chain {
    std::uint32_t done = 0;
    std::uint32_t end = 0;
    Wait wait = {};
    std::vector<std::pair<std::uint32_t, order::Node>> edges = {};  // by the index they lead to
    std::size_t next_edge = 0;
  };

  Chain& chain(ThreadId thread) { return chains_[thread.value()]; }
  void advance(ThreadId thread);
  void heed_order(ThreadId thread, std::uint32_t& limit);
  void heed_edges(ThreadId thread, std::uint32_t& limit);

  const order::ChainOrder& order_;
  std::vector<Chain> chains_;
};

}  // namespace heddle::predict
