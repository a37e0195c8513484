#include "explore/schedule.h"

#include <algorithm>

namespace heddle {
namespace {

using EventIndex = Execution::EventIndex;

// Places events one by one; per thread they are taken from the front.
class Placing {
 public:
  Placing(const Execution& execution, std::span<const EventIndex> events) : execution_(execution) {
    for (const EventIndex e : events) {
      const ThreadId thread = execution.thread(e);
      if (!queues_.contains(thread)) queues_.resize(thread.value() + 1);
      queues_[thread].events.push_back(e);
    }
  }

  bool can_place(ThreadId thread) const {
    const Queue& queue = queues_[thread];
    if (queue.placed == queue.events.size()) return false;
    const EventIndex next = queue.events[queue.placed];
    return std::all_of(queues_.begin(), queues_.end(), [&](const Queue& other) {
      const bool at_end = &other == &queue || other.placed == other.events.size();
      return at_end || !execution_.before(other.events[other.placed], next);
    });
  }
  EventIndex place(ThreadId thread) { return queues_[thread].events[queues_[thread].placed++]; }
  ThreadId any() const {
    for (const ThreadId thread : indices(queues_)) {
      if (can_place(thread)) return thread;
    }
    return ThreadId::none();
  }

 private:
  struct Queue {
    std::vector<EventIndex> events;
    std::size_t placed = 0;
  };
  const Execution& execution_;
  Table<ThreadId, Queue> queues_;
};

}  // namespace

std::vector<EventIndex> events_up_to(const Execution& execution,
                                     std::span<const EventIndex> targets) {
  std::vector<EventIndex> needed;
  for (EventIndex e = 0; e < execution.size(); ++e) {
    const bool counts = std::any_of(targets.begin(), targets.end(), [&](EventIndex target) {
      return e <= target && execution.before(e, target);
    });
    if (counts) needed.push_back(e);
  }
  return needed;
}

std::vector<Transition> with_few_switches(const Execution& execution,
                                          std::span<const EventIndex> events) {
  Placing placing(execution, events);
  std::vector<Transition> schedule;
  ThreadId thread = placing.any();
  while (thread.valid()) {
    schedule.push_back(execution.transition(placing.place(thread)));
    if (!placing.can_place(thread)) thread = placing.any();
  }
  return schedule;
}

}  // namespace heddle
