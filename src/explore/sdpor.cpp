// SDPOR: dynamic partial order reduction with source sets. [Abdulla, Aronis, Jonsson,
// Sagonas, POPL 2014] The baseline of the EPOR paper.
//
// After each step its races with earlier events are looked at. Where the earlier event
// stands, some thread that can begin the reversed order is put on the list of those to be
// explored (the backtrack set), unless one is there already; sleep sets cut off most of
// what was covered before. Every trace is visited at least once, and some executions are
// begun in vain: they end with all threads asleep (counted as blocked).
#include <algorithm>
#include <vector>

#include "explore/explorer.h"
#include "explore/races.h"
#include "explore/reversal.h"

namespace heddle {
namespace {

using EventIndex = Execution::EventIndex;

class SdporExplorer final : public Explorer {
 public:
  SdporExplorer(System& system, ExplorationListener& listener, const ExploreOptions& options)
      : walker_(system, listener, counters_, options),
        races_(options.memory),
        predecessors_(options.memory),
        reversal_(walker_.execution(), options.memory) {}

  bool run() override {
    frames_.emplace_back();
    enter();
    while (!frames_.empty() && !walker_.stopped()) {
      if (!advance()) leave();
    }
    return !walker_.stopped();
  }

  bool has_children_left(std::size_t depth) const override {
    const Frame& frame = frames_[depth];
    const auto first = frame.backtrack.begin() + static_cast<std::ptrdiff_t>(frame.explored);
    return std::any_of(first, frame.backtrack.end(),
                       [&](Transition transition) { return !is_asleep(frame, transition); });
  }

 private:
  struct Sleeper {
    Transition transition;
    std::vector<Access> accesses;
  };
  struct Frame {
    std::vector<Transition> backtrack;  // to be explored, or explored, in this order
    std::size_t explored = 0;           // how many of them have been taken
    std::vector<Sleeper> asleep;
  };

  void enter() {
    if (walker_.at_end()) {
      walker_.visit();
      if (walker_.ends_with(Readiness::blocked)) look_at_blocked_threads();
      return;
    }
    Frame& frame = frames_.back();
    for (ThreadId thread : indices<ThreadId>(walker_.system().thread_count())) {
      if (walker_.system().readiness(thread) != Readiness::ready) continue;
      if (is_asleep(frame, {thread, 0})) continue;
      frame.backtrack.push_back({thread, 0});
      return;
    }
    ++counters_.blocked;
    look_at_blocked_threads();
  }

  bool advance() {
    Frame& frame = frames_.back();
    while (frame.explored < frame.backtrack.size()) {
      const Transition transition = frame.backtrack[frame.explored++];
      if (is_asleep(frame, transition)) continue;
      if (walker_.system().readiness(transition.thread) != Readiness::ready) continue;
      descend(transition);
      return true;
    }
    return false;
  }

  void descend(Transition transition) {
    walker_.step(transition);
    Frame& parent = frames_.back();
    add_other_choices(parent, transition.thread);
    Frame child;
    for (const Sleeper& sleeper : parent.asleep) {
      if (sleeper.transition.thread == transition.thread) continue;
      ++counters_.dependency_checks;
      if (!dependent(sleeper.accesses, walker_.operation().accesses)) {
        child.asleep.push_back(sleeper);
      }
    }
    frames_.push_back(std::move(child));
    look_at_last_event();
    enter();
  }

  void leave() {
    frames_.pop_back();
    if (frames_.empty()) return;
    const auto e = static_cast<EventIndex>(frames_.size() - 1);
    const auto accesses = walker_.execution().accesses(e);
    frames_.back().asleep.push_back(
        {walker_.execution().transition(e), {accesses.begin(), accesses.end()}});
    walker_.rewind(e);
  }

  static bool is_asleep(const Frame& frame, Transition transition) {
    return std::any_of(frame.asleep.begin(), frame.asleep.end(),
                       [&](const Sleeper& sleeper) { return sleeper.transition == transition; });
  }
  static void add(Frame& frame, Transition transition) {
    const auto& list = frame.backtrack;
    if (std::find(list.begin(), list.end(), transition) == list.end()) {
      frame.backtrack.push_back(transition);
    }
  }

  // They come next, so that all choices of an operation fall asleep together: a thread of which
  // only some are asleep would be passed over.
  void add_other_choices(Frame& frame, ThreadId thread) const {
    std::size_t place = frame.explored;
    for (std::uint32_t choice = 0; choice < walker_.operation().choices; ++choice) {
      const Transition other = {thread, choice};
      auto& list = frame.backtrack;
      const auto first = list.begin() + static_cast<std::ptrdiff_t>(place);
      if (std::find(list.begin(), first, other) != first) continue;
      list.erase(std::remove(first, list.end(), other), list.end());
      list.insert(list.begin() + static_cast<std::ptrdiff_t>(place++), other);
    }
  }

  void look_at_last_event() {
    Execution& execution = walker_.execution();
    execution.order_up_to(execution.size(), counters_);
    const auto e = static_cast<EventIndex>(execution.size() - 1);
    look_at(later_operation(execution, e));
  }

  // A thread that is blocked at the end may have come too late for something.
  void look_at_blocked_threads() {
    Execution& execution = walker_.execution();
    for (ThreadId thread : indices<ThreadId>(walker_.system().thread_count())) {
      if (walker_.system().readiness(thread) != Readiness::blocked) continue;
      operation_.clear();
      walker_.system().next_operation(thread, operation_);
      predecessors_.clear();
      execution.predecessors(thread, operation_.accesses, predecessors_, counters_);
      look_at({{thread, 0},
               operation_.accesses,
               execution.last_of(thread),
               predecessors_,
               static_cast<EventIndex>(execution.size())});
    }
  }

  void look_at(const LaterOperation& later) {
    races_.clear();
    find_races(walker_.execution(), later.previous, later.predecessors, 0, races_, counters_);
    for (const Race& race : races_) reverse(race, later);
  }

  // Sees to it that some execution begins, in place of the race's earlier event, with what
  // the later one needs.
  void reverse(const Race& race, const LaterOperation& later) {
    reversal_.assign(race.earlier, later);
    Frame& frame = frames_[race.earlier];
    if (begins_with_one_of(frame)) return;
    if (race.tentative && !walker_.can_happen(race.earlier, reversal_)) return;
    add(frame, reversal_.transition(reversal_.begin()));
  }

  // Whether a transition that is in the frame's backtrack set can begin the reversal.
  bool begins_with_one_of(const Frame& frame) {
    return std::any_of(frame.backtrack.begin(), frame.backtrack.end(), [&](Transition candidate) {
      return reversal_.initial(candidate).has_value();
    });
  }

  Walker walker_;
  std::vector<Frame> frames_;
  std::pmr::vector<Race> races_;
  std::pmr::vector<Execution::Predecessor> predecessors_;
  Reversal reversal_;
  Operation operation_;
};

}  // namespace

std::unique_ptr<Explorer> make_sdpor_explorer(System& system, ExplorationListener& listener,
                                              const ExploreOptions& options) {
  return std::make_unique<SdporExplorer>(system, listener, options);
}

}  // namespace heddle
