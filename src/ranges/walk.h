// One transaction on intervals: from a node, point by point, to the nodes where it ends.
#pragma once

#include <utility>
#include <vector>

#include "ranges/graph.h"
#include "ranges/record.h"

namespace heddle::ranges {

class Walk {
 public:
  using Ends = std::vector<std::pair<NodeId, Environment>>;

  explicit Walk(const Graph& graph)
      : graph_(graph), flow_(graph.program().flow), waiting_(flow_.size()) {}

  // The record, if there is one, is told of every point and every write.
  void run(NodeId node, const Environment& environment, Record* record, Ends& ends);
  // The shared words that the last transaction wrote, on any way; some more than once.
  const std::vector<std::uint32_t>& written() const { return written_; }

 private:
  void follow(PointId point, const Environment& environment, Record* record, Ends& ends);
  void note_writes();
  void look_at(PointId point, const Environment& environment, Record& record);

  const Graph& graph_;
  const Flow& flow_;
  Table<PointId, Environment> waiting_;
  std::vector<PointId> open_;  // a heap, lowest first
  std::vector<std::uint32_t> written_;
  Outcome outcome_;
};

}  // namespace heddle::ranges
