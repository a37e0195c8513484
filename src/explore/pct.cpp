// Probabilistic concurrency testing: random executions with a guarantee. [Burckhardt,
// Kothari, Musuvathi, Nagarakatte: A randomized scheduler with probabilistic guarantees of
// finding bugs, ASPLOS 2010]
//
// A bug has depth d if d ordering constraints between steps are enough to show it: one for
// "used before it was initialised" (depth 1), two for an update lost between a read and a
// write or for two locks taken crosswise (depth 2). Few bugs are deeper than three. Uniform
// scheduling meets even a shallow one rarely: to hold a thread back for a hundred steps it
// has to lose a hundred tosses.
//
// So threads get priorities, and the ready one with the highest runs. All n of them begin
// in random order; and before d - 1 random steps out of k, the thread that is about to run
// falls below all initial priorities, by the i-th change point to priority i. Take the d
// constraints of a bug, each of which holds a thread back until another has done something.
// With probability 1/n the thread of the first constraint begins with the lowest priority,
// and is held back. Each further constraint is met if a change point falls on the one right
// step out of k; being drawn independently, the change points come in the right order if
// each falls where it should. Hence each execution shows the bug with probability at least
//     1 / (n k^(d-1)),
// whatever the program does elsewhere.
//
// The number of steps k is not known beforehand; the longest execution so far stands for it.
// The first execution has none before it: its change points all fall on its first step, and
// the bound does not hold for it. A thread that spins with the highest priority is not
// interrupted; such an execution ends at max_steps.
// Nondeterministic choices are uniform; "traces" counts executions, as for random.cpp.
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "explore/strategies.h"

namespace heddle {
namespace {

class PctExplorer final : public Explorer {
 public:
  PctExplorer(System& system, ExplorationListener& listener, const ExploreOptions& options,
              const RandomOptions& random, std::uint32_t depth)
      : walker_(system, listener, counters_, options),
        executions_(random.executions),
        random_(random.seed),
        priority_(system.thread_count()),
        change_points_(depth - 1) {}

  bool run() override {
    for (std::uint64_t i = 0; i < executions_ && !walker_.stopped(); ++i) {
      walker_.rewind(0);
      draw_priorities();
      draw_change_points();
      while (!walker_.at_end() && !walker_.stopped()) step();
      if (!walker_.stopped()) walker_.visit();
      counters_.longest = std::max<std::uint64_t>(counters_.longest, walker_.execution().size());
    }
    return !walker_.stopped();
  }

 private:
  // A random permutation of d, d + 1, ..., by exchanging each with one before it.
  void draw_priorities() {
    for (ThreadId thread : indices(priority_)) {
      priority_[thread] = static_cast<std::uint32_t>(change_points_.size()) + 1 + thread.value();
      std::swap(priority_[thread], priority_[ThreadId(random_.below(thread.value() + 1))]);
    }
  }

  void draw_change_points() {
    const auto steps = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, counters_.longest));
    for (std::size_t& point : change_points_) point = random_.below(steps);
  }

  void step() {
    ThreadId thread = highest();
    const std::size_t now = walker_.execution().size();
    for (std::size_t i = 0; i < change_points_.size(); ++i) {
      if (change_points_[i] != now) continue;
      priority_[thread] = static_cast<std::uint32_t>(i) + 1;
      thread = highest();
    }
    operation_.clear();
    walker_.system().next_operation(thread, operation_);
    walker_.step({thread, random_.below(operation_.choices)});
  }

  ThreadId highest() {
    ThreadId best = ThreadId::none();
    for (ThreadId thread : indices(priority_)) {
      if (walker_.system().readiness(thread) != Readiness::ready) continue;
      if (!best.valid() || priority_[thread] > priority_[best]) best = thread;
    }
    return best;
  }

  Walker walker_;
  std::uint64_t executions_;
  Random random_;
  Table<ThreadId, std::uint32_t> priority_;  // all different; the highest runs
  std::vector<std::size_t> change_points_;   // the steps before which the i-th change happens
  Operation operation_;
};

}  // namespace

std::unique_ptr<Explorer> make_pct_explorer(System& system, ExplorationListener& listener,
                                            const ExploreOptions& options,
                                            const RandomOptions& random, std::uint32_t depth) {
  return std::make_unique<PctExplorer>(system, listener, options, random, depth);
}

double pct_bound(std::size_t threads, std::uint64_t steps, std::uint32_t depth) {
  const auto base = static_cast<double>(std::max<std::uint64_t>(1, steps));
  return 1 / (static_cast<double>(threads) * std::pow(base, depth - 1));
}

}  // namespace heddle
