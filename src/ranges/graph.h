// Transaction sequence graphs, and the concurrent control flow graph as one of them.
//
// Nodes are points where a transaction begins or ends; transaction edges lead along a thread
// from node to node, context-switch edges from where one thread stopped to where another goes
// on. The three graphs differ in where transactions end:
//   ccfg       behind every step that accesses anything shared
//   tsg        where a transaction of a MAT of GenMAT begins or ends
//   tsg_prime  the same with GenMAT'
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "ranges/mats.h"

namespace heddle::ranges {

enum class GraphKind : std::uint8_t { ccfg, tsg, tsg_prime };
inline constexpr std::array kGraphKinds = {GraphKind::ccfg, GraphKind::tsg, GraphKind::tsg_prime};
std::string_view name_of(GraphKind kind);  // "tsg-prime"

// Between which nodes control may go in graphs of three threads or more (switches.h).
enum class Switching : std::uint8_t { influence, complete };

using NodeId = Index<struct NodeTag>;

struct TransactionEdge {
  NodeId source{};
  NodeId target{};
};

class Graph {
 public:
  Graph(const Program& program, GraphKind kind, Switching switching = Switching::influence);

  GraphKind kind() const { return kind_; }
  const Program& program() const { return program_; }
  std::size_t node_count() const { return points_.size(); }
  PointId point(NodeId node) const { return points_[node]; }
  NodeId node_at(PointId point) const { return nodes_[point]; }  // none: within a transaction
  bool is_node(PointId point) const { return nodes_[point].valid(); }
  NodeId first(ThreadId thread) const { return nodes_[program_.flow.first(thread)]; }
  const std::vector<Mat>& mats() const { return mats_; }
  // All that the MATs allow, also those that locks forbid.
  const Switches& mat_switches() const { return mat_switches_; }
  const std::vector<TransactionEdge>& transactions() const { return transactions_; }
  std::span<const NodeId> switches_from(NodeId node) const { return switches_[node]; }
  std::size_t switch_count() const;

 private:
  void add_nodes(const Table<PointId, bool>& boundaries);
  void add_transactions();

  const Program& program_;
  GraphKind kind_;
  std::vector<Mat> mats_;
  Switches mat_switches_;
  Table<NodeId, PointId> points_;
  Table<PointId, NodeId> nodes_;
  std::vector<TransactionEdge> transactions_;
  Table<NodeId, std::vector<NodeId>> switches_;
};

}  // namespace heddle::ranges
