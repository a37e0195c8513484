#include "explore/excursion.h"

namespace heddle {

Excursion::~Excursion() {
  if (strayed_) system_.rewind(0);
  for (auto e = static_cast<Execution::EventIndex>(system_.depth()); e < execution_.size(); ++e) {
    system_.step(execution_.thread(e), execution_.transition(e).choice);
  }
}

bool Excursion::follow(std::vector<Transition>& schedule) {
  strayed_ = true;
  while (true) {
    const std::size_t done = follow_to_failure(schedule);
    if (done == schedule.size()) return true;
    if (failure_ == Failure::none) return false;
    schedule.erase(schedule.begin() + static_cast<std::ptrdiff_t>(done - 1));
  }
}

// How many steps were taken, until one failed or could not be taken.
std::size_t Excursion::follow_to_failure(const std::vector<Transition>& schedule) {
  system_.rewind(0);
  failure_ = Failure::none;
  std::size_t done = 0;
  while (done < schedule.size() && failure_ == Failure::none) {
    const Transition& next = schedule[done];
    if (system_.readiness(next.thread) != Readiness::ready) break;
    failure_ = system_.step(next.thread, next.choice);
    ++done;
  }
  return done;
}

}  // namespace heddle
