// Brute force: every interleaving, one after the other. The oracle of the tests, and the
// measure of what partial order reduction saves.
#include <vector>

#include "explore/explorer.h"

namespace heddle {
namespace {

class BruteExplorer final : public Explorer {
 public:
  BruteExplorer(System& system, ExplorationListener& listener, const ExploreOptions& options)
      : walker_(system, listener, counters_, options) {}

  bool run() override {
    next_.push_back({ThreadId(0), 0});
    while (!next_.empty() && !walker_.stopped()) {
      if (advance(next_.back())) {
        next_.push_back({ThreadId(0), 0});
      } else {
        next_.pop_back();
        if (!next_.empty()) walker_.rewind(next_.size() - 1);
      }
    }
    return !walker_.stopped();
  }

  // Perhaps; it is not known which of the later threads are ready there.
  bool has_children_left(std::size_t depth) const override {
    return next_[depth].thread.next() < walker_.end_of_threads();
  }

 private:
  // Takes the first transition that is ready, from the given one on; false if there is none.
  bool advance(Transition& next) {
    if (walker_.at_end()) {
      walker_.visit();
      return false;
    }
    for (; next.thread < walker_.end_of_threads(); next = {next.thread.next(), 0}) {
      if (walker_.system().readiness(next.thread) != Readiness::ready) continue;
      operation_.clear();
      walker_.system().next_operation(next.thread, operation_);
      if (next.choice >= operation_.choices) continue;
      walker_.step(next);
      ++next.choice;
      return true;
    }
    return false;
  }

  Walker walker_;
  std::vector<Transition> next_;  // per state on the path: what to try next
  Operation operation_;
};

}  // namespace

std::unique_ptr<Explorer> make_brute_explorer(System& system, ExplorationListener& listener,
                                              const ExploreOptions& options) {
  return std::make_unique<BruteExplorer>(system, listener, options);
}

}  // namespace heddle
