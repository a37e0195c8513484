#include "ranges/propagate.h"

#include <algorithm>
#include <map>

#include "ranges/ages.h"
#include "ranges/fixpoint.h"
#include "ranges/walk.h"

namespace heddle::ranges {
namespace {

Table<PointId, bool> nodes_of(const Graph& graph) {
  Table<PointId, bool> nodes(graph.program().flow.size(), false);
  for (const PointId point : indices(nodes)) nodes[point] = graph.is_node(point);
  return nodes;
}

class PathPropagator {
 public:
  PathPropagator(const Graph& graph, const PropagateOptions& options)
      : graph_(graph),
        flow_(graph.program().flow),
        options_(options),
        ages_(flow_),
        walk_(flow_, nodes_of(graph)),
        record_(graph.program()),
        here_(graph.node_count()),
        placed_(graph.node_count(), false),
        started_(graph.node_count(), false),
        arrived_(graph.node_count()),
        begun_(graph.node_count()),
        changed_(graph.node_count(), false),
        ends_(options.lookahead) {}

  Propagation run() {
    start();
    options_.published ? run_published() : run_cumulative();
    return {std::move(record_), std::move(begun_), iterations_};
  }

 private:
  // All threads stand at their beginnings; those that nobody has to fork may go.
  void start() {
    for (const ThreadId thread : indices(flow_.model().threads)) {
      const NodeId first = graph_.first(thread);
      here_[first] = Environment::initial(flow_.model(), thread);
      here_[first].take_local(flow_.constants(flow_.first(thread)));
      placed_[first] = true;
      record_.arrive(graph_.point(first), here_[first]);
      if (!flow_.model().threads[thread].forked) begin_at(first);
    }
  }

  void begin_at(NodeId node) {
    started_[node] = true;
    changed_[node] = true;
  }

  // --- joined over all times so far -------------------------------------------------------

  void run_cumulative() {
    carry_on(0);
    while (!pending_.empty()) {
      iterations_ = pending_.begin()->first;
      arrive(iterations_);
      carry_on(iterations_);
    }
    for (const NodeId node : indices(here_)) {
      if (started_[node] && placed_[node]) {
        chunk(node, here_[node], options_.lookahead, 0, &record_);
      }
    }
  }

  void carry_on(Time time) {
    for (const NodeId node : take_changed()) {
      chunk(node, here_[node], options_.lookahead, time, nullptr);
    }
  }

  bool any_changed() const {
    return std::find(changed_.begin(), changed_.end(), true) != changed_.end();
  }

  // A node's paths also pass through other nodes, so any change concerns all.
  std::vector<NodeId> take_changed() {
    std::vector<NodeId> nodes;
    if (!any_changed()) return nodes;
    for (const NodeId node : indices(changed_)) {
      if (started_[node] && placed_[node]) nodes.push_back(node);
      changed_[node] = false;
    }
    return nodes;
  }

  void arrive(Time time) {
    const Arrivals arrivals = std::move(pending_.begin()->second);
    pending_.erase(pending_.begin());
    for (const auto& [node, environment] : arrivals.passing) place(node, environment);
    for (const auto& [node, environment] : arrivals.staying) {
      if (!arrived_[node].join(environment)) continue;
      place(node, environment);
      receive(node, environment);
      for (const NodeId target : graph_.switches_from(node)) {
        if (time <= latest(target)) receive(target, environment);
      }
    }
  }

  // Someone goes on here who knows this of the shared words.
  void receive(NodeId target, const Environment& environment) {
    if (started_[target]) {
      if (here_[target].join_shared(environment)) changed_[target] = true;
      return;
    }
    if (here_[target].empty()) {
      here_[target] = Environment::initial(flow_.model(), thread_of(target));
    }
    here_[target].take_shared(environment);
    begin_at(target);
  }

  // The thread has come to the node: its own variables are known there.
  void place(NodeId node, const Environment& environment) {
    if (!placed_[node]) {
      Environment made = environment;
      if (started_[node]) made.take_shared(here_[node]);
      here_[node] = std::move(made);
      placed_[node] = changed_[node] = true;
      return;
    }
    if (here_[node].join_local(environment)) changed_[node] = true;
  }

  ThreadId thread_of(NodeId node) const { return flow_[graph_.point(node)].thread; }
  Time age(NodeId node) const { return ages_.age[graph_.point(node)]; }
  Time latest(NodeId node) const { return ages_.latest[graph_.point(node)]; }

  // --- paths ------------------------------------------------------------------------------

  struct Arrivals {
    std::map<NodeId, Environment> staying;  // where a path ends
    std::map<NodeId, Environment> passing;  // where it only leaves a thread
  };

  // Where threads stand, and what they know, as far as the path tells.
  struct Known {
    NodeId node{};
    Environment environment;
  };

  // One path after the other of so many transactions. With a record: only tell it.
  void chunk(NodeId node, const Environment& environment, std::uint32_t length, Time time,
             Record* record) {
    if (record != nullptr) begun_[node].join(environment);
    Walk::Ends& ends = ends_[length - 1];
    walk_.run(graph_.point(node), environment, {}, record, ends);
    for (const Walk::End& arrival : ends) {
      const NodeId end = graph_.node_at(arrival.point);
      const Environment& arrived = arrival.arrival.environment;
      const Time then = time + age(end) - age(node);
      if (then > latest(end) && record == nullptr) continue;
      if (length == 1) {
        if (record == nullptr) deliver(end, arrived, then);
        continue;
      }
      if (record == nullptr) pass(end, arrived, then);
      path_.push_back({end, arrived});
      chunk(end, arrived, length - 1, then, record);
      for (const NodeId target : graph_.switches_from(end)) {
        go_on_at(target, arrived, length - 1, then, record);
      }
      path_.pop_back();
    }
  }

  // Program order: a thread that the path has moved goes on from where it was left.
  void go_on_at(NodeId target, const Environment& shared, std::uint32_t length, Time time,
                Record* record) {
    const ThreadId thread = thread_of(target);
    const auto known = std::find_if(path_.rbegin(), path_.rend(), [&](const Known& other) {
      return thread_of(other.node) == thread;
    });
    const bool moved = known != path_.rend();
    if (moved ? known->node != target : !placed_[target]) return;
    Environment environment = moved ? known->environment : here_[target];
    environment.take_shared(shared);
    chunk(target, environment, length, time, record);
  }

  // A thread that was left there by a path stands there from that time on.
  void pass(NodeId node, const Environment& environment, Time time) {
    if (options_.published) return place(node, environment);
    pending_[time].passing[node].join(environment);
  }

  void deliver(NodeId node, const Environment& environment, Time time) {
    if (options_.published) {
      next_[node].join(environment);
      place(node, environment);
    } else if (!environment.within(arrived_[node])) {
      pending_[time].staying[node].join(environment);
    }
  }

  // --- as published -----------------------------------------------------------------------

  void run_published() {
    const std::size_t steps = (longest_execution() + options_.lookahead - 1) / options_.lookahead;
    Table<NodeId, Environment> now(graph_.node_count());
    for (const NodeId node : indices(now)) {
      if (started_[node]) now[node] = here_[node];
    }
    for (; iterations_ < steps; ++iterations_) {
      next_ = Table<NodeId, Environment>(graph_.node_count());
      for (const NodeId node : indices(now)) {
        if (!now[node].empty()) both_ways(node, now[node]);
      }
      now = std::move(next_);
    }
  }

  // Recorded at once, for there is no fixpoint to wait for.
  void both_ways(NodeId node, const Environment& environment) {
    carry(node, environment);
    for (const NodeId target : graph_.switches_from(node)) {
      if (!placed_[target]) continue;
      Environment there = here_[target];
      there.take_shared(environment);
      carry(target, there);
    }
  }

  void carry(NodeId node, const Environment& environment) {
    chunk(node, environment, options_.lookahead, 0, nullptr);
    chunk(node, environment, options_.lookahead, 0, &record_);
  }

  // In transactions.
  std::size_t longest_execution() const {
    Table<NodeId, std::size_t> ways(graph_.node_count(), 0);
    Table<ThreadId, std::size_t> longest(flow_.model().threads.size(), 0);
    for (const TransactionEdge& edge : graph_.transactions()) {
      ways[edge.target] = std::max(ways[edge.target], ways[edge.source] + 1);
      std::size_t& most = longest[flow_[graph_.point(edge.source)].thread];
      most = std::max(most, ways[edge.target]);
    }
    std::size_t total = 0;
    for (const std::size_t most : longest) total += most;
    return total;
  }

  const Graph& graph_;
  const Flow& flow_;
  PropagateOptions options_;
  Ages ages_;
  Walk walk_;
  Record record_;
  Table<NodeId, Environment> here_;  // shared: of all that may go on here; own: of all arrivals
  Table<NodeId, bool> placed_;       // its own part means something
  Table<NodeId, bool> started_;      // its shared part does
  Table<NodeId, Environment> arrived_;
  Table<NodeId, Environment> begun_;
  Table<NodeId, Environment> next_;
  Table<NodeId, bool> changed_;
  std::map<Time, Arrivals> pending_;
  std::vector<Walk::Ends> ends_;  // one for each depth of a path
  std::vector<Known> path_;
  std::size_t iterations_ = 0;
};

}  // namespace

Switching needed_switching(const PropagateOptions& options) {
  const bool by_paths = options.lookahead > 1 || options.published;
  return by_paths ? Switching::complete : Switching::influence;
}

Propagation propagate(const Graph& graph, const PropagateOptions& options) {
  const bool joins_all = options.lookahead == 1 && !options.published;
  return joins_all ? find_fixpoint(graph) : PathPropagator(graph, options).run();
}

}  // namespace heddle::ranges
