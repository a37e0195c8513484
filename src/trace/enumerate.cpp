#include "trace/enumerate.h"

#include <algorithm>
#include <unordered_map>

#include "trace/enumerate_candidates.h"
#include "trace/enumerate_happens_before.h"
#include "trace/enumerate_walk.h"
#include "trace/reordering.h"
#include "trace/state_key.h"

namespace heddle {
namespace enumeration {
namespace {

// For questions that the state alone answers.
struct NoMemory {
  void append(const ReorderingState&, EventId) {}
  void append_key(const ReorderingState&, std::string&) const {}
};

// Which of two events came first, for the pairs that some triple of events asks about, as
// long as the third one has not happened.
class OrderTable {
 public:
  OrderTable(const Trace& trace, const Candidates& candidates) : trace_(&trace) {
    for (const auto& [writer, read, challenger] : candidates.triplets) {
      if (writer != kInitialWrite && challenger != kInitialWrite) add(writer, challenger, read);
    }
    for (const auto& [first, remote, second] : candidates.scopes) add(first, remote, second);
  }

  const std::set<EventId>& firsts(EventId second) const {
    static const std::set<EventId> nothing;
    const auto found = firsts_.find(second);
    return found != firsts_.end() ? found->second : nothing;
  }

  bool is_needed(const ReorderingState& state, const std::pair<EventId, EventId>& order) const {
    const std::set<EventId>& thirds = thirds_.at(order);
    return std::any_of(thirds.begin(), thirds.end(), [&](EventId third) {
      return trace_->is_final_read(third) || !state.contains(third);
    });
  }

 private:
  void add(EventId first, EventId second, EventId third) {
    firsts_[second].insert(first);
    thirds_[{first, second}].insert(third);
  }

  const Trace* trace_;
  std::map<EventId, std::set<EventId>> firsts_;
  std::map<std::pair<EventId, EventId>, std::set<EventId>> thirds_;
};

class OrderMemory {
 public:
  explicit OrderMemory(const OrderTable& table) : table_(&table) {}

  bool contains(EventId first, EventId second) const { return orders_.contains({first, second}); }

  void append(const ReorderingState& state, EventId e) {
    for (EventId first : table_->firsts(e)) {
      if (state.contains(first)) orders_.insert({first, e});
    }
  }

  void append_key(const ReorderingState& state, std::string& key) const {
    for (const auto& order : orders_) {
      if (!table_->is_needed(state, order)) continue;
      append_index(key, order.first);
      append_index(key, order.second);
    }
  }

 private:
  const OrderTable* table_;
  std::set<std::pair<EventId, EventId>> orders_;
};

// Which writes can still come after a state, each with the first step towards it.
class WritesAhead {
 public:
  using Steps = std::map<EventId, EventId>;

  WritesAhead(const OriginalRun& run, Budget& budget) : run_(&run), budget_(&budget) {}

  const Steps& from(const ReorderingState& state) {
    std::string key;
    state.append_key(key);
    const auto known = steps_.find(key);
    return known != steps_.end() ? known->second : steps_.emplace(key, find(state)).first->second;
  }

  std::vector<EventId> path(ReorderingState state, EventId write) {
    std::vector<EventId> result;
    do {
      result.push_back(from(state).at(write));
      state.append(result.back());
    } while (result.back() != write);
    return result;
  }

 private:
  Steps find(const ReorderingState& state) {
    Steps result;
    if (!budget_->take()) return result;
    for (EventId e : possible_events(state, run_->thread_count())) {
      ReorderingState next = state;
      next.append(e);
      if (writes(run_->trace().kind(e))) result.emplace(e, e);
      for (const auto& [write, step] : from(next)) result.emplace(write, e);
    }
    return result;
  }

  const OriginalRun* run_;
  Budget* budget_;
  std::unordered_map<std::string, Steps> steps_;
};

class Enumeration {
 public:
  Enumeration(const Trace& trace, const EnumerateOptions& options)
      : trace_(trace),
        options_(options),
        run_(trace),
        candidates_(run_, options),
        budget_(options.max_states),
        writes_ahead_(run_, budget_) {
    for (const Triplet& triplet : candidates_.triplets)
      triplets_of_[triplet.read].push_back(triplet);
  }

  Oracle run() {
    walk_without_memory();
    if (!candidates_.triplets.empty() || !candidates_.scopes.empty()) walk_with_orders();
    if (options_.unordered_races && !candidates_.conflicts.empty()) walk_with_happens_before();
    oracle_.complete = !budget_.exhausted();
    oracle_.states = options_.max_states - budget_.left();
    return std::move(oracle_);
  }

 private:
  using Plain = Node<NoMemory>;
  using Ordered = Node<OrderMemory>;
  using Happens = Node<SequenceHappensBefore>;

  ReorderingState start() const { return ReorderingState(run_, options_.values); }

  void walk_without_memory() {
    walk(Plain{start(), {}, {}}, run_.thread_count(), budget_, [this](const Plain& node) {
      if (options_.nondeterminism) find_reads(node);
      if (options_.paper_kinds) find_triplets(node);
      if (options_.adjacent_races) find_adjacent(node);
      if (options_.deadlocks) find_deadlocks(node);
      find_reads_between_writes(node);
    });
  }

  void walk_with_orders() {
    const OrderTable table(trace_, candidates_);
    walk(Ordered{start(), OrderMemory(table), {}}, run_.thread_count(), budget_,
         [this](const Ordered& node) {
           find_challengers_between(node);
           find_broken_scopes(node);
         });
  }

  void walk_with_happens_before() {
    walk(Happens{start(), SequenceHappensBefore(run_, candidates_.conflicts), {}},
         run_.thread_count(), budget_, [this](const Happens& node) { find_unordered(node); });
  }

  // Whether e can be the event in question after the state.
  bool can_ask(const ReorderingState& state, EventId e) const {
    return !state.broken_rule(e, Outcome::free);
  }

  bool happened(const ReorderingState& state, EventId e) const {
    return e == kInitialWrite || state.contains(e);
  }

  // The next events, final reads included, that can be asked about.
  std::vector<EventId> events_to_ask(const ReorderingState& state) const {
    std::vector<EventId> result;
    for (ThreadId t : indices<ThreadId>(run_.thread_count())) {
      const EventId e = state.next_event(t);
      if (e.valid() && can_ask(state, e)) result.push_back(e);
    }
    if (options_.final_reads && state.complete()) {
      for (EventId e : final_reads(run_)) result.push_back(e);
    }
    return result;
  }

  template <typename Answers, typename Answer>
  static void add(Answers& answers, const Answer& answer, std::vector<EventId> sequence,
                  std::vector<EventId> more = {}, EventId question = EventId::none()) {
    if (answers.contains(answer)) return;
    sequence.insert(sequence.end(), more.begin(), more.end());
    answers.emplace(answer, Witness{std::move(sequence), question});
  }

  // --- Nondeterminism ---

  void find_reads(const Plain& node) {
    for (EventId read : events_to_ask(node.state)) {
      if (!trace_.is_final_read(read) && !reads(trace_.kind(read))) continue;
      const auto& pieces = run_.pieces_of(run_.location_of(read));
      for (std::size_t i = 0; i < pieces.size(); ++i) {
        const EventId write = node.state.last_writer(pieces[i]);
        if (write == run_.seen(read, i)) continue;
        add(oracle_.nondeterminism, ReadOfWrite{read, write}, node.sequence, {read}, read);
      }
    }
  }

  std::map<Triplet, Witness>& answers(TripletKind kind) {
    return oracle_.triplets[static_cast<std::size_t>(kind)];
  }

  void find_triplets(const Plain& node) {
    for (EventId read : events_to_ask(node.state)) {
      for (const Triplet& triplet : triplets_of_[read]) {
        if (happened(node.state, triplet.writer)) continue;
        if (!happened(node.state, triplet.challenger)) continue;
        add(answers(TripletKind::without_writer), triplet, node.sequence, {read}, read);
        find_read_before_writer(node, triplet);
      }
    }
  }

  void find_read_before_writer(const Plain& node, const Triplet& triplet) {
    if (answers(TripletKind::read_before_writer).contains(triplet)) return;
    ReorderingState asked = node.state;
    asked.append(triplet.read, Outcome::free);
    if (!writes_ahead_.from(asked).contains(triplet.writer)) return;
    std::vector<EventId> more = writes_ahead_.path(asked, triplet.writer);
    more.insert(more.begin(), triplet.read);
    add(answers(TripletKind::read_before_writer), triplet, node.sequence, more, triplet.read);
  }

  void find_challengers_between(const Ordered& node) {
    for (EventId read : events_to_ask(node.state)) {
      for (const Triplet& triplet : triplets_of_[read]) {
        if (triplet.challenger == kInitialWrite) continue;
        const bool in_order = triplet.writer == kInitialWrite
                                  ? node.state.contains(triplet.challenger)
                                  : node.memory.contains(triplet.writer, triplet.challenger);
        if (!in_order) continue;
        add(answers(TripletKind::challenger_between), triplet, node.sequence, {read}, read);
      }
    }
  }

  // --- Races ---

  void find_adjacent(const Plain& node) {
    for (const EventPair& pair : candidates_.conflicts) {
      if (can_ask(node.state, pair.first) && can_ask(node.state, pair.second)) {
        add(oracle_.adjacent_races, pair, node.sequence);
      }
    }
  }

  void find_unordered(const Happens& node) {
    for (const EventPair& pair : candidates_.conflicts) {
      find_unordered(node, pair, pair.first, pair.second);
      find_unordered(node, pair, pair.second, pair.first);
    }
  }

  void find_unordered(const Happens& node, const EventPair& pair, EventId earlier, EventId later) {
    if (!node.state.contains(earlier) || !can_ask(node.state, later)) return;
    if (node.memory.before(node.state, later).contains(earlier)) return;
    add(oracle_.unordered_races, pair, node.sequence, {later}, later);
  }

  // --- Deadlocks ---

  // The acquire in front of which the thread has to wait for other holders; or none.
  EventId waits_at(const ReorderingState& state, ThreadId thread) const {
    const EventId e = state.next_event(thread);
    if (!e.valid() || state.broken_rule(e) != ReorderingRule::lock || trace_.detail(e) != 0) {
      return EventId::none();
    }
    return e;
  }

  void find_deadlocks(const Plain& node) {
    for (ThreadId t : indices<ThreadId>(run_.thread_count())) {
      std::vector<ThreadId> ring = {t};
      if (waits_at(node.state, t).valid()) extend_ring(node, ring);
    }
  }

  // A ring is found from its first thread on, so that it is found once.
  void extend_ring(const Plain& node, std::vector<ThreadId>& ring) {
    for (ThreadId holder : node.state.excluders(waits_at(node.state, ring.back()))) {
      if (holder == ring.front() && ring.size() > 1) add_ring(node, ring);
      const bool is_new = std::find(ring.begin(), ring.end(), holder) == ring.end();
      if (holder < ring.front() || !is_new || !waits_at(node.state, holder).valid()) continue;
      ring.push_back(holder);
      extend_ring(node, ring);
      ring.pop_back();
    }
  }

  void add_ring(const Plain& node, const std::vector<ThreadId>& ring) {
    std::set<EventId> waiting;
    for (ThreadId t : ring) waiting.insert(waits_at(node.state, t));
    add(oracle_.deadlocks, waiting, node.sequence);
  }

  // --- Atomicity ---

  void find_broken_scopes(const Ordered& node) {
    for (const BrokenScope& scope : candidates_.scopes) {
      if (node.memory.contains(scope.first, scope.remote) && can_ask(node.state, scope.second)) {
        add(oracle_.atomicity, scope, node.sequence, {scope.second}, scope.second);
      }
    }
  }

  void find_reads_between_writes(const Plain& node) {
    for (const BrokenScope& scope : candidates_.scopes) {
      if (!is_read_between_writes(trace_, scope) || !node.state.contains(scope.first)) continue;
      if (oracle_.atomicity.contains(scope) || !can_ask(node.state, scope.remote)) continue;
      ReorderingState asked = node.state;
      asked.append(scope.remote, Outcome::free);
      if (asked.broken_rule(scope.second)) continue;
      add(oracle_.atomicity, scope, node.sequence, {scope.remote, scope.second}, scope.remote);
    }
  }

  const Trace& trace_;
  EnumerateOptions options_;
  OriginalRun run_;
  Candidates candidates_;
  Budget budget_;
  WritesAhead writes_ahead_;
  std::map<EventId, std::vector<Triplet>> triplets_of_;
  Oracle oracle_;
};

}  // namespace
}  // namespace enumeration

Oracle enumerate(const Trace& trace, const EnumerateOptions& options) {
  return enumeration::Enumeration(trace, options).run();
}

}  // namespace heddle
