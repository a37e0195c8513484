#include "hybrid/observed_run.h"

#include <algorithm>
#include <map>

#include "base/random.h"

namespace heddle::hybrid {
namespace {

// After so many steps in a row others have their turn: a thread may wait for them in a loop.
constexpr std::uint32_t kPatience = 500;

class Observer {
 public:
  Observer(System& system, const RunOptions& options)
      : system_(system), options_(options), random_(options.seed) {
    run_.threads = system.thread_count();
    run_.objects = system.object_count();
  }

  ObservedRun observe() {
    const std::size_t start = system_.depth();
    while (run_.events.size() < options_.max_steps && choose_thread() && take_step()) {
    }
    system_.rewind(start);
    return std::move(run_);
  }

 private:
  bool choose_thread() {
    ready_.clear();
    bool can_go_on = false;
    for (const ThreadId thread : indices<ThreadId>(system_.thread_count())) {
      if (system_.readiness(thread) != Readiness::ready) continue;
      ready_.push_back(thread);
      can_go_on = can_go_on || thread == running_;
    }
    if (ready_.empty()) return false;
    if (follow_beginning()) return true;
    if (can_go_on && ++in_a_row_ < kPatience && !random_.chance(options_.switch_chance))
      return true;
    const bool quiet = options_.switch_chance == 0;
    running_ = quiet ? next_ready() : any_ready();
    in_a_row_ = 0;
    return true;
  }

  ThreadId any_ready() { return ready_[random_.below(static_cast<std::uint32_t>(ready_.size()))]; }
  // The first behind the running one, in a circle.
  ThreadId next_ready() const {
    const auto place = std::upper_bound(ready_.begin(), ready_.end(), running_);
    return running_.valid() && place != ready_.end() ? *place : ready_.front();
  }

  bool follow_beginning() {
    if (run_.events.size() >= options_.beginning.size()) return false;
    const ThreadId wanted = options_.beginning[run_.events.size()];
    if (system_.readiness(wanted) != Readiness::ready) return false;
    running_ = wanted;
    return true;
  }

  bool take_step() {
    Operation operation;
    system_.next_operation(running_, operation);
    const Transition transition{running_, random_.below(operation.choices)};
    const std::uint32_t site = number_of(system_.where_next(running_));
    if (system_.step(running_, transition.choice) != Failure::none) return false;
    const auto effects = system_.effects();
    operation.accesses.insert(operation.accesses.end(), effects.begin(), effects.end());
    run_.events.push_back({transition, std::move(operation.accesses), site});
    return true;
  }

  std::uint32_t number_of(const std::string& site) {
    const auto number = static_cast<std::uint32_t>(run_.sites.size());
    const auto [place, is_new] = numbers_.emplace(site, number);
    if (is_new) run_.sites.push_back(site);
    return place->second;
  }

  System& system_;
  const RunOptions& options_;
  Random random_;
  ObservedRun run_;
  std::map<std::string, std::uint32_t> numbers_;
  std::vector<ThreadId> ready_;
  ThreadId running_;
  std::uint32_t in_a_row_ = 0;
};

}  // namespace

ObservedRun observe(System& system, const RunOptions& options) {
  return Observer(system, options).observe();
}

}  // namespace heddle::hybrid
