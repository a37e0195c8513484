#include "explore/section.h"

#include <algorithm>
#include <utility>

#include "explore/dependence.h"

namespace heddle {
namespace {

EventSet set_of(std::size_t event) { return EventSet{1} << event; }

}  // namespace

void Section::build(const System& system, Length length, CheckCounters& counters) {
  gather(system);
  find_dependencies(counters);
  if (length == Length::brief) shorten();
  index_threads();
}

// Swaps operations with those of earlier sections, whose memory is used again.
void Section::gather(const System& system) {
  threads_.clear();
  all_ = 0;
  count_ = 0;
  for (ThreadId thread : indices<ThreadId>(system.thread_count())) {
    if (count_ == kMaxEvents) break;
    if (system.readiness(thread) != Readiness::ready) continue;
    system.certain_operations(thread, kMaxEvents - count_, operations_);
    EventSet events = 0;
    for (Operation& operation : operations_) {
      events |= set_of(count_);
      std::swap(events_[count_++], operation);
    }
    if (events != 0) threads_.push_back({thread, events});
    all_ |= events;
  }
}

void Section::find_dependencies(CheckCounters& counters) {
  std::fill_n(dependent_.begin(), count_, 0);
  for (std::size_t a = 0; a < threads_.size(); ++a) {
    for (std::size_t b = a + 1; b < threads_.size(); ++b) {
      for (EventSet x = threads_[a].events; x != 0; x &= x - 1) {
        for (EventSet y = threads_[b].events; y != 0; y &= y - 1) {
          ++counters.race_checks;
          ++counters.dependency_checks;
          const std::size_t i = index_of(x);
          const std::size_t j = index_of(y);
          if (!dependent(events_[i].accesses, events_[j].accesses)) continue;
          dependent_[i] |= set_of(j);
          dependent_[j] |= set_of(i);
        }
      }
    }
  }
}

// Keeps of every thread what comes before its second dependent operation.
void Section::shorten() {
  for (SectionThread& thread : threads_) {
    bool seen = false;
    for (EventSet left = thread.events; left != 0; left &= left - 1) {
      const EventSet event = left & (~left + 1);
      if (dependent_with(event) == 0) continue;
      if (seen) {
        thread.events &= ~left;
        break;
      }
      seen = true;
    }
  }
  all_ = 0;
  for (const SectionThread& thread : threads_) all_ |= thread.events;
  for (std::size_t i = 0; i < count_; ++i) dependent_[i] &= all_;
}

void Section::index_threads() {
  first_ = 0;
  for (const SectionThread& thread : threads_) {
    first_ |= thread.events & (~thread.events + 1);
    for (EventSet left = thread.events; left != 0; left &= left - 1) {
      thread_of_[index_of(left)] = thread.thread;
      rest_of_thread_[index_of(left)] = left;
    }
  }
}

// What does not sleep can all happen; whoever it wakes can go on with the rest of its
// thread, which may wake others. Waking only ever helps, so the order does not matter.
bool Section::can_wake_all(EventSet done, EventSet asleep) const {
  if (asleep == 0) return true;
  EventSet possible = all_ & ~done;
  for (EventSet left = asleep; left != 0; left &= left - 1) {
    possible &= ~rest_of_thread_[index_of(left)];
  }
  for (bool woke = true; woke && asleep != 0;) {
    woke = false;
    for (EventSet left = asleep; left != 0; left &= left - 1) {
      const std::size_t sleeper = index_of(left);
      if ((dependent_[sleeper] & possible) == 0) continue;
      possible |= rest_of_thread_[sleeper];
      asleep &= ~set_of(sleeper);
      woke = true;
    }
  }
  return asleep == 0;
}

}  // namespace heddle
