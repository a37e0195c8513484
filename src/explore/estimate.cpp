#include "explore/estimate.h"

#include <algorithm>
#include <cmath>

#include "explore/dependence.h"

namespace heddle {

// Mean and variance as they come [Welford 1962].
void TraceEstimate::walk() {
  const double weight = weigh();
  ++walks_;
  const double difference = weight - mean_;
  mean_ += difference / static_cast<double>(walks_);
  squares_ += difference * (weight - mean_);
}

double TraceEstimate::relative_error() const {
  constexpr std::uint64_t kFewest = 30;
  if (walks_ < kFewest || mean_ <= 0) return 2;
  const auto count = static_cast<double>(walks_);
  return std::sqrt(squares_ / (count - 1) / count) / mean_;
}

double TraceEstimate::weigh() {
  system_.rewind(0);
  sleepers_.clear();
  double weight = 1;
  while (system_.depth() < max_steps_ && find_branches()) {
    if (branches_.empty()) return 0;
    weight *= static_cast<double>(branches_.size());
    if (!take_one()) return 0;
  }
  return weight;
}

// What can come next and is not asleep; false if nothing can come at all.
bool TraceEstimate::find_branches() {
  bool any = false;
  branches_.clear();
  Operation operation;
  for (const ThreadId thread : indices<ThreadId>(system_.thread_count())) {
    if (system_.readiness(thread) != Readiness::ready) continue;
    any = true;
    operation.clear();
    system_.next_operation(thread, operation);
    for (std::uint32_t choice = 0; choice < operation.choices; ++choice) {
      const Transition transition{thread, choice};
      if (!is_asleep(transition)) branches_.push_back({transition, operation.accesses});
    }
  }
  return any;
}

bool TraceEstimate::is_asleep(Transition transition) const {
  return std::any_of(sleepers_.begin(), sleepers_.end(),
                     [&](const Branch& sleeper) { return sleeper.transition == transition; });
}

// The branches before the one that is taken fall asleep; who depends on it wakes up. False
// if an assumption fails, so that it leads to no trace.
bool TraceEstimate::take_one() {
  const std::size_t taken = random_.below(static_cast<std::uint32_t>(branches_.size()));
  const Branch branch = std::move(branches_[taken]);
  branches_.resize(taken);
  sleepers_.insert(sleepers_.end(), branches_.begin(), branches_.end());
  std::erase_if(sleepers_, [&](const Branch& sleeper) {
    return sleeper.transition.thread == branch.transition.thread ||
           dependent(sleeper.accesses, branch.accesses);
  });
  return system_.step(branch.transition.thread, branch.transition.choice) != Failure::assumption;
}

}  // namespace heddle
