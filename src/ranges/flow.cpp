#include "ranges/flow.h"

#include <algorithm>
#include <map>

#include "ranges/loops.h"
#include "ranges/transfer.h"

namespace heddle::ranges {
namespace {

using model::Model;
using model::StateId;

constexpr std::size_t kMaxPoints = std::size_t{1} << 20;
constexpr std::uint32_t kMaxRounds = 4096;  // of a loop that is decided in every round

// Where a point stands among all of its thread: for each loop around it the loop's rank and
// the round, then the rank of the state. In this order every edge leads upwards.
using Position = std::vector<std::uint32_t>;

struct Waiting {
  StateId state{};
  Environment environment;
  std::vector<std::uint32_t> undecided;  // per loop around it: rounds whose end was not decided
  std::vector<std::uint32_t> from;       // edges that lead here
  bool cut = false;
};

// The shared words that some transition may write.
std::vector<bool> written_words(const Model& model) {
  std::vector<bool> written(model.layout.words, false);
  for (const model::Transition& transition : model.transitions) {
    for (const model::Update& update : model.updates_of(transition)) {
      const std::uint32_t length = update.target.index.valid() ? update.target.length : 1;
      for (std::uint32_t i = 0; i < length; ++i) written[update.target.base + i] = true;
    }
  }
  return written;
}

}  // namespace

class Unroller {
 public:
  Unroller(const Model& model, std::uint32_t unroll)
      : model_(model),
        unroll_(unroll),
        loops_(find_loops(model)),
        written_(written_words(model)),
        flow_(model) {}

  Result<Flow> run() {
    for (const ThreadId thread : indices(model_.threads)) {
      if (!unroll_thread(thread)) {
        return make_error(
            "{}: the unrolled control flow has more than {} control states; lower --unroll or the "
            "model's parameters",
            model_.source.name(), kMaxPoints);
      }
    }
    mark_beginnings();
    return std::move(flow_);
  }

 private:
  bool unroll_thread(ThreadId thread) {
    waiting_.clear();
    PointRange& range = flow_.ranges_[thread];
    range.first = flow_.points_.end_index();
    StateId first = model_.threads[thread].first;
    Environment environment = Environment::initial(model_, thread);
    forget_shared(environment);
    run_to_first_visible_state(first, environment);
    Waiting& start = waiting_[position(first, {}, {})];
    start.state = first;
    start.undecided.assign(loops_.around[first].size(), 0);
    start.environment = std::move(environment);
    while (!waiting_.empty()) {
      if (flow_.points_.size() >= kMaxPoints) return false;
      auto next = waiting_.extract(waiting_.begin());
      expand(thread, next.key(), next.mapped());
    }
    range.end = flow_.points_.end_index();
    return true;
  }

  // A thread's first local statements, mostly declarations, have happened before all else.
  // They work on known values, so there is one way through them.
  void run_to_first_visible_state(StateId& at, Environment& environment) {
    Outcome outcome;
    for (std::uint32_t taken = 0; model_.states[at].inner && taken < kMaxRounds; ++taken) {
      flow_.beginnings_.emplace_back(at, environment);
      for (const model::Transition& transition : model_.transitions_of(at)) {
        Environment behind = environment;
        apply(model_, transition, behind, outcome);
        if (behind.empty()) continue;
        environment = std::move(behind);
        at = transition.target;
        break;
      }
    }
  }

  void forget_shared(Environment& environment) const {
    for (std::uint32_t word = 0; word < model_.layout.shared_words; ++word) {
      if (written_[word]) environment.set(word, model_.bounds_of(word));
    }
  }

  void expand(ThreadId thread, const Position& at, Waiting& waiting) {
    const model::ControlState& control = model_.states[waiting.state];
    const PointId point = flow_.points_.add(
        {.thread = thread,
         .state = waiting.state,
         .first_edge = static_cast<std::uint32_t>(flow_.edges_.size()),
         .stops = !control.inner || flow_.ranges_[thread].first == flow_.points_.end_index() ||
                  waiting.cut,
         .cut = waiting.cut});
    for (const std::uint32_t edge : waiting.from) flow_.edges_[edge].target = point;
    flow_.constants_.add(waiting.environment);
    if (waiting.cut) return;
    follow_edges(point, at, waiting);
  }

  void follow_edges(PointId point, const Position& at, const Waiting& waiting) {
    std::vector<std::pair<model::TransitionId, Environment>> ways;
    Outcome outcome;
    for (std::uint32_t i = 0; i < model_.states[waiting.state].count; ++i) {
      const model::TransitionId id(model_.states[waiting.state].first.value() + i);
      Environment behind = waiting.environment;
      apply(model_, model_.transitions[id], behind, outcome);
      if (behind.empty()) continue;
      forget_shared(behind);
      ways.emplace_back(id, std::move(behind));
    }
    for (const auto& [id, behind] : ways) {
      add_edge(at, waiting, id, behind, ways.size() > 1);
    }
    flow_.points_[point].edge_count = static_cast<std::uint32_t>(ways.size());
  }

  void add_edge(const Position& at, const Waiting& waiting, model::TransitionId id,
                const Environment& behind, bool one_of_several) {
    const StateId target = model_.transitions[id].target;
    std::vector<std::uint32_t> undecided = undecided_at(target, waiting);
    if (one_of_several) count_undecided(waiting.state, target, undecided);
    Position to = position(target, at, waiting);
    const bool cut = is_too_far(target, to, undecided);
    if (cut) to = {0xffffffff, target.value()};
    Waiting& next = waiting_[to];
    next.state = target;
    next.cut = cut;
    flow_.has_cuts_ |= cut;
    next.environment.join(behind);
    next.undecided.resize(undecided.size());
    for (std::size_t i = 0; i < undecided.size(); ++i) {
      next.undecided[i] = std::max(next.undecided[i], undecided[i]);
    }
    next.from.push_back(static_cast<std::uint32_t>(flow_.edges_.size()));
    flow_.edges_.push_back({.transition = id});
  }

  std::size_t common_loops(StateId a, StateId b) const {
    const auto& of_a = loops_.around[a];
    const auto& of_b = loops_.around[b];
    std::size_t count = 0;
    while (count < of_a.size() && count < of_b.size() && of_a[count] == of_b[count]) ++count;
    return count;
  }

  std::vector<std::uint32_t> undecided_at(StateId target, const Waiting& from) const {
    std::vector<std::uint32_t> made(loops_.around[target].size(), 0);
    const std::size_t common = common_loops(from.state, target);
    std::copy_n(from.undecided.begin(), common, made.begin());
    return made;
  }

  // The thread stays in every loop that it could have left at this branch.
  void count_undecided(StateId from, StateId target, std::vector<std::uint32_t>& undecided) const {
    const std::size_t stays = common_loops(from, target);
    for (std::size_t i = 0; i < stays; ++i) {
      for (const model::Transition& other : model_.transitions_of(from)) {
        if (loops_.inside(other.target, loops_.around[from][i])) continue;
        ++undecided[i];
        break;
      }
    }
  }

  Position position(StateId target, const Position& at, const Waiting& from) const {
    Position made;
    const auto& around = loops_.around[target];
    const std::size_t common = from.state.valid() ? common_loops(from.state, target) : 0;
    for (std::size_t i = 0; i < around.size(); ++i) {
      const bool again = loops_.loops[around[i]].header == target;
      const std::uint32_t round = i < common ? at[2 * i + 1] + (again ? 1 : 0) : 0;
      made.push_back(loops_.loops[around[i]].rank);
      made.push_back(round);
    }
    made.push_back(loops_.rank[target]);
    return made;
  }

  bool is_too_far(StateId target, const Position& to,
                  const std::vector<std::uint32_t>& undecided) const {
    for (std::size_t i = 0; i < loops_.around[target].size(); ++i) {
      if (undecided[i] > unroll_ || to[2 * i + 1] >= kMaxRounds) return true;
    }
    return false;
  }

  void mark_beginnings() {
    for (const ThreadId thread : indices(model_.threads)) {
      flow_.points_[flow_.first(thread)].begins = true;
      const PointRange range = flow_.points_of(thread);
      for (PointId point = range.first; point < range.end; ++point) {
        const bool inner = model_.states[flow_.points_[point].state].inner;
        if (!flow_.points_[point].begins || !inner) continue;
        for (const Edge& edge : flow_.edges(point)) flow_.points_[edge.target].begins = true;
      }
    }
  }

  const Model& model_;
  std::uint32_t unroll_;
  Loops loops_;
  std::vector<bool> written_;
  Flow flow_;
  std::map<Position, Waiting> waiting_;
};

Result<Flow> Flow::make(const Model& model, std::uint32_t unroll) {
  return Unroller(model, unroll).run();
}

}  // namespace heddle::ranges
