// One transaction on intervals: from a node, point by point, to the nodes where it ends.
//
// Where ways meet inside a transaction, what comes is joined. If walks from several nodes come
// to such a point, they are joined with each other there, too, over all walks so far; otherwise
// a graph with more nodes, whose walks each know which way they came, would see more.
#pragma once

#include <utility>
#include <vector>

#include "ranges/graph.h"
#include "ranges/record.h"

namespace heddle::ranges {

class Walk {
 public:
  using Ends = std::vector<std::pair<NodeId, Environment>>;

  enum class Joins : std::uint8_t { within_a_walk, over_all_walks };

  Walk(const Graph& graph, Joins joins);

  // The record, if there is one, is told of every point and every write.
  void run(NodeId node, const Environment& environment, Record* record, Ends& ends);
  // The shared words that the last transaction wrote, on any way; some more than once.
  const std::vector<std::uint32_t>& written() const { return written_; }

 private:
  void follow(PointId point, const Environment& environment, Record* record, Ends& ends);
  void join_earlier_walks(PointId point, Environment& environment);
  void note_writes();
  void look_at(PointId point, const Environment& environment, Record& record);

  const Graph& graph_;
  const Flow& flow_;
  Table<PointId, Environment> waiting_;
  Table<PointId, bool> meets_;          // several ways lead there, and walks are to be joined
  Table<PointId, Environment> so_far_;  // of all walks, where ways meet
  std::vector<PointId> open_;           // a heap, lowest first
  std::vector<std::uint32_t> written_;
  Outcome outcome_;
};

}  // namespace heddle::ranges
