#include "ranges/propagate.h"

#include <algorithm>
#include <map>

#include "ranges/walk.h"

namespace heddle::ranges {
namespace {

using Time = std::uint64_t;

// The longest way from the thread's beginning, in steps.
Table<PointId, Time> ages_of(const Program& program) {
  Table<PointId, Time> ages(program.flow.size(), 0);
  for (const PointId point : indices(ages)) {
    if (!program.flow[point].stops) continue;
    for (const PointId target : program.conflicts.targets(point)) {
      ages[target] = std::max(ages[target], ages[point] + 1);
    }
  }
  return ages;
}

class Propagator {
 public:
  Propagator(const Graph& graph, const PropagateOptions& options)
      : graph_(graph),
        flow_(graph.program().flow),
        options_(options),
        walk_(graph, options.published ? Walk::Joins::within_a_walk : Walk::Joins::over_all_walks),
        record_(graph.program()),
        here_(graph.node_count()),
        placed_(graph.node_count(), false),
        started_(graph.node_count(), false),
        arrived_(graph.node_count()),
        begun_(graph.node_count()),
        age_(graph.node_count(), 0),
        latest_(graph.node_count(), 0),
        changed_(graph.node_count(), false),
        ends_(options.lookahead),
        by_words_(options.lookahead == 1 && !options.published),
        wrote_(graph.node_count(), std::vector<char>(flow_.model().layout.shared_words, 0)),
        told_(wrote_),
        sources_(graph.node_count()) {
    measure();
    for (const NodeId node : indices(sources_)) {
      for (const NodeId target : graph.switches_from(node)) sources_[target].push_back(node);
    }
  }

  Propagation run() {
    start();
    options_.published ? run_published() : run_cumulative();
    return {std::move(record_), std::move(begun_), iterations_};
  }

 private:
  void measure() {
    const Table<PointId, Time> ages = ages_of(graph_.program());
    Table<ThreadId, Time> oldest(flow_.model().threads.size(), 0);
    for (const PointId point : indices(ages)) {
      Time& old = oldest[flow_[point].thread];
      old = std::max(old, ages[point]);
    }
    Time total = 0;
    for (const Time old : oldest) total += old;
    for (const NodeId node : indices(age_)) {
      age_[node] = ages[graph_.point(node)];
      latest_[node] = age_[node] + total - oldest[flow_[graph_.point(node)].thread];
    }
  }

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

  // With lookahead a node's paths also pass through other nodes, so any change concerns all.
  std::vector<NodeId> take_changed() {
    const bool all = options_.lookahead > 1 && any_changed();
    std::vector<NodeId> nodes;
    for (const NodeId node : indices(changed_)) {
      if ((changed_[node] || all) && started_[node] && placed_[node]) nodes.push_back(node);
      changed_[node] = false;
    }
    return nodes;
  }

  void arrive(Time time) {
    const Arrivals arrivals = std::move(pending_.begin()->second);
    pending_.erase(pending_.begin());
    for (const auto& [node, environment] : arrivals.passing) place(node, environment);
    for (const auto& [node, stay_there] : arrivals.staying) {
      const Environment& environment = stay_there.environment;
      add_words(wrote_[node], stay_there.wrote);
      list_news(node, environment);
      const bool grew = arrived_[node].join(environment);
      if (!grew && news_.empty()) continue;
      place(node, environment);
      stay(node, environment);
      // What the thread has written is news further on its way, too, whatever the values are.
      if (by_words_ && !news_.empty()) changed_[node] = true;
      for (const NodeId target : graph_.switches_from(node)) {
        if (time <= latest_[target]) receive(node, target);
      }
    }
  }

  // The shared words that others may have to hear of again.
  void list_news(NodeId node, const Environment& environment) {
    news_.clear();
    for (std::uint32_t word = 0; word < environment.shared_count(); ++word) {
      const bool wider =
          arrived_[node].empty() || !environment.shared(word).within(arrived_[node].shared(word));
      const bool own = !by_words_ || wrote_[node][word] != 0;
      const bool told = !by_words_ || told_[node][word] != 0;
      if (own && (wider || !told)) news_.push_back(word);
      if (own && by_words_) told_[node][word] = 1;
    }
  }

  // The node's own thread has come there, with all that it knows.
  void stay(NodeId node, const Environment& environment) {
    if (started_[node]) {
      if (here_[node].join_shared(environment)) changed_[node] = true;
      return;
    }
    here_[node].take_shared(environment);
    begin_at(node);
    if (by_words_) hear_all(node);
  }

  void receive(NodeId source, NodeId target) {
    if (started_[target]) {
      if (here_[target].join_words(arrived_[source], news_)) changed_[target] = true;
      return;
    }
    if (!by_words_) {
      if (here_[target].empty()) {
        here_[target] = Environment::initial(flow_.model(), thread_of(target));
      }
      here_[target].take_shared(arrived_[source]);
      return begin_at(target);
    }
    const Meeting& meeting = graph_.program().meeting;
    if (target != graph_.first(thread_of(target))) return;
    if (meeting.may_have_forked(graph_.point(source), thread_of(target))) {
      stay(target, arrived_[source]);
    }
  }

  // What others had to tell before the thread came here.
  void hear_all(NodeId node) {
    for (const NodeId source : sources_[node]) {
      if (arrived_[source].empty()) continue;
      std::vector<std::uint32_t> words;
      for (std::uint32_t word = 0; word < arrived_[source].shared_count(); ++word) {
        if (wrote_[source][word] != 0) words.push_back(word);
      }
      here_[node].join_words(arrived_[source], words);
    }
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

  // --- paths ------------------------------------------------------------------------------

  using Words = std::vector<char>;  // which of the shared ones

  struct Stay {
    Environment environment;
    Words wrote;  // by the thread itself, on its way
  };

  struct Arrivals {
    std::map<NodeId, Stay> staying;         // where a path ends
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
    walk_.run(node, environment, record, ends);
    for (const auto& [end, arrived] : ends) {
      const Time then = time + age_[end] - age_[node];
      if (then > latest_[end] && record == nullptr) continue;
      if (length == 1) {
        if (record == nullptr) deliver(node, end, arrived, then);
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
    const ThreadId thread = flow_[graph_.point(target)].thread;
    const auto known = std::find_if(path_.rbegin(), path_.rend(), [&](const Known& other) {
      return flow_[graph_.point(other.node)].thread == thread;
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

  void deliver(NodeId from, NodeId node, const Environment& environment, Time time) {
    if (options_.published) {
      next_[node].join(environment);
      place(node, environment);
      return;
    }
    const Words wrote = by_words_ ? written_on_the_way(from) : Words();
    if (!adds_words(wrote_[node], wrote) && environment.within(arrived_[node])) return;
    Stay& there = pending_[time].staying[node];
    there.environment.join(environment);
    add_words(there.wrote, wrote);
  }

  static bool adds_words(const Words& known, const Words& more) {
    for (std::size_t i = 0; i < more.size(); ++i) {
      if (more[i] != 0 && known[i] == 0) return true;
    }
    return false;
  }
  static void add_words(Words& known, const Words& more) {
    known.resize(std::max(known.size(), more.size()), 0);
    for (std::size_t i = 0; i < more.size(); ++i) known[i] |= more[i];
  }

  Words written_on_the_way(NodeId from) const {
    Words words = wrote_[from];
    for (const std::uint32_t word : walk_.written()) words[word] = 1;
    return words;
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
  Walk walk_;
  Record record_;
  Table<NodeId, Environment> here_;  // shared: of all that may go on here; own: of all arrivals
  Table<NodeId, bool> placed_;       // its own part means something
  Table<NodeId, bool> started_;      // its shared part does
  Table<NodeId, Environment> arrived_;
  Table<NodeId, Environment> begun_;
  Table<NodeId, Environment> next_;
  Table<NodeId, Time> age_;
  Table<NodeId, Time> latest_;
  Table<NodeId, bool> changed_;
  std::map<Time, Arrivals> pending_;
  std::vector<Walk::Ends> ends_;  // one for each depth of a path
  std::vector<Known> path_;
  bool by_words_;                           // others are told only of what a thread wrote itself
  Table<NodeId, std::vector<char>> wrote_;  // shared words, on the way to the node
  Table<NodeId, std::vector<char>> told_;   // of these, what was told
  Table<NodeId, std::vector<NodeId>> sources_;
  std::vector<std::uint32_t> news_;
  std::size_t iterations_ = 0;
};

}  // namespace

Switching needed_switching(const PropagateOptions& options) {
  const bool by_paths = options.lookahead > 1 || options.published;
  return by_paths ? Switching::complete : Switching::influence;
}

Propagation propagate(const Graph& graph, const PropagateOptions& options) {
  return Propagator(graph, options).run();
}

}  // namespace heddle::ranges
