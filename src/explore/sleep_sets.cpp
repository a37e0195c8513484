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
  const std::size_t end = sleepers_.size();
  for (std::size_t i = first.sleeper; i < end; ++i) {
    const Sleeper sleeper = sleepers_[i];
    if (sleeper.transition.thread == thread) continue;
    ++counters.dependency_checks;
    if (!dependent(accesses_of(sleeper), accesses)) sleepers_.push_back(sleeper);
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

std::optional<Reversal::Place> SleepSets::weak_initial(Mark first, Mark end,
                                                       const Reversal& reversal,
                                                       CheckCounters& counters) const {
  std::optional<Reversal::Place> inside;
  for (std::uint32_t i = first.sleeper; i < end.sleeper; ++i) {
    const auto place = reversal.initial(sleepers_[i].transition);
    if (place && reversal.is_lasting(*place)) return place;
    if (place) inside = place;
  }
  if (inside) return inside;
  for (std::uint32_t i = first.sleeper; i < end.sleeper; ++i) {
    const Sleeper& sleeper = sleepers_[i];
    if (reversal.weak_initial(sleeper.transition, accesses_of(sleeper), counters)) {
      return reversal.end();
    }
  }
  return std::nullopt;
}

void SleepSets::need_wakers(Mark first, Mark end, Reversal& reversal,
                            CheckCounters& counters) const {
  for (std::uint32_t i = first.sleeper; i < end.sleeper; ++i) {
    const Sleeper& sleeper = sleepers_[i];
    reversal.need_waker_of(sleeper.transition, accesses_of(sleeper), counters);
  }
}

}  // namespace heddle
