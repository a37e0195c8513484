#include "explore/sleep_sets.h"

#include <algorithm>

#include "explore/dependence.h"

namespace heddle {

void SleepSets::add(Transition transition, std::span<const Access> accesses) {
  sleepers_.push_back({transition, static_cast<std::uint32_t>(accesses_.size()),
                       static_cast<std::uint32_t>(accesses.size())});
  accesses_.insert(accesses_.end(), accesses.begin(), accesses.end());
}

// An inherited sleeper shares its accesses with the one that it comes from.
void SleepSets::inherit(Mark first, ThreadId thread, std::span<const Access> accesses,
                        CheckCounters& counters) {
  const auto end = static_cast<std::uint32_t>(sleepers_.size());
  for (std::uint32_t i = first.sleeper; i < end; ++i) {
    const Sleeper sleeper = sleepers_[i];
    if (sleeper.transition.thread == thread) continue;
    ++counters.dependency_checks;
    if (!dependent(this->accesses(i), accesses)) sleepers_.push_back(sleeper);
  }
}

void SleepSets::release(Mark first) {
  sleepers_.resize(first.sleeper);
  accesses_.resize(first.access);
}

bool SleepSets::contains(Mark first, Mark end, Transition transition) const {
  return std::any_of(sleepers_.begin() + first.sleeper, sleepers_.begin() + end.sleeper,
                     [&](const Sleeper& sleeper) { return sleeper.transition == transition; });
}

}  // namespace heddle
