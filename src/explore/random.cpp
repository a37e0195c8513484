// Random scheduling: so many executions, each step by one of the ready threads, any with the
// same probability.
//
// It finds what many interleavings show and costs nothing but the run; it promises nothing,
// and prefers executions in which threads take turns (see pct.cpp for one that does not).
// "traces" counts executions; the same trace may come up several times.
#include "base/random.h"

#include <vector>

#include "explore/strategies.h"

namespace heddle {
namespace {

class RandomExplorer final : public Explorer {
 public:
  RandomExplorer(System& system, ExplorationListener& listener, const ExploreOptions& options,
                 const RandomOptions& random)
      : walker_(system, listener, counters_, options),
        executions_(random.executions),
        random_(random.seed) {}

  bool run() override {
    for (std::uint64_t i = 0; i < executions_ && !walker_.stopped(); ++i) {
      walker_.rewind(0);
      while (!walker_.at_end() && !walker_.stopped()) step();
      if (!walker_.stopped()) walker_.visit();
      counters_.longest = std::max<std::uint64_t>(counters_.longest, walker_.execution().size());
    }
    return !walker_.stopped();
  }

 private:
  void step() {
    ready_.clear();
    for (ThreadId thread : indices<ThreadId>(walker_.system().thread_count())) {
      if (walker_.system().readiness(thread) == Readiness::ready) ready_.push_back(thread);
    }
    const ThreadId thread = ready_[random_.below(static_cast<std::uint32_t>(ready_.size()))];
    operation_.clear();
    walker_.system().next_operation(thread, operation_);
    walker_.step({thread, random_.below(operation_.choices)});
  }

  Walker walker_;
  std::uint64_t executions_;
  Random random_;
  std::vector<ThreadId> ready_;
  Operation operation_;
};

}  // namespace

std::unique_ptr<Explorer> make_random_explorer(System& system, ExplorationListener& listener,
                                               const ExploreOptions& options,
                                               const RandomOptions& random) {
  return std::make_unique<RandomExplorer>(system, listener, options, random);
}

}  // namespace heddle
