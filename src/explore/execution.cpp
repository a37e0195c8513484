#include "explore/execution.h"

#include <algorithm>

namespace heddle {

Execution::Execution(std::size_t threads, std::size_t objects, std::pmr::memory_resource* memory)
    : threads_(threads),
      events_(memory),
      accesses_(memory),
      last_of_(threads, kNone),
      orders_(memory),
      clocks_(memory),
      predecessors_(memory),
      links_(memory),
      head_(objects, kNone) {}

void Execution::push(Transition transition, std::span<const Access> accesses,
                     std::uint32_t section) {
  EventIndex& last = last_of_[transition.thread];
  const std::uint32_t index = last == kNone ? 0 : events_[last].index_in_thread + 1;
  const auto first_access = static_cast<std::uint32_t>(accesses_.size());
  const auto e = static_cast<EventIndex>(events_.size());
  if (last != kNone) events_[last].next_in_thread = e;
  events_.push_back({transition, section, first_access, last, kNone, index});
  accesses_.insert(accesses_.end(), accesses.begin(), accesses.end());
  last = e;
}

void Execution::pop_to(std::size_t size) {
  if (orders_.size() > size) unorder_to(size);
  while (events_.size() > size) {
    const Event& event = events_.back();
    last_of_[event.transition.thread] = event.previous_in_thread;
    if (event.previous_in_thread != kNone) {
      events_[event.previous_in_thread].next_in_thread = kNone;
    }
    accesses_.resize(event.first_access);
    events_.pop_back();
  }
}

void Execution::order_up_to(std::size_t size, CheckCounters& counters) {
  while (orders_.size() < size) order_next(counters);
}

void Execution::order_next(CheckCounters& counters) {
  const auto e = static_cast<EventIndex>(orders_.size());
  const Event& event = events_[e];
  orders_.push_back({static_cast<std::uint32_t>(predecessors_.size()),
                     static_cast<std::uint32_t>(links_.size()), 0});
  predecessors(event.transition.thread, accesses(e), predecessors_, counters);

  clocks_.resize(clocks_.size() + threads_, 0);
  std::uint32_t* mine = clocks_.data() + e * threads_;
  const auto learn = [&](EventIndex from) {
    orders_[e].end_of_causes = std::max(orders_[e].end_of_causes, from + 1);
    const std::uint32_t* known = clock(from);
    for (std::size_t t = 0; t < threads_; ++t) mine[t] = std::max(mine[t], known[t]);
  };
  if (event.previous_in_thread != kNone) learn(event.previous_in_thread);
  for (const Predecessor& predecessor : predecessors_of(e)) learn(predecessor.event);
  mine[event.transition.thread.value()] = event.index_in_thread + 1;

  for (const Access& access : accesses(e)) {
    links_.push_back({access, e, head_[access.object]});
    head_[access.object] = static_cast<std::uint32_t>(links_.size() - 1);
  }
}

void Execution::unorder_to(std::size_t size) {
  const OrderedEvent first = orders_[size];
  for (std::size_t i = links_.size(); i-- > first.first_link;) {
    head_[links_[i].access.object] = links_[i].previous;
  }
  links_.resize(first.first_link);
  predecessors_.resize(first.first_predecessor);
  orders_.resize(size);
  clocks_.resize(size * threads_);
}

void Execution::predecessors(ThreadId thread, std::span<const Access> accesses,
                             std::pmr::vector<Predecessor>& result, CheckCounters& counters) const {
  for (const Access& access : accesses) {
    for (std::uint32_t i = head_[access.object]; i != kNone; i = links_[i].previous) {
      const Link& link = links_[i];
      if (this->thread(link.event) != thread) {
        ++counters.dependency_checks;
        const Order order = order_of(link.access, access);
        if (order != Order::free) result.push_back({link.event, access.object, order});
      }
      if (depends_on_all(link.access.kind)) break;
    }
  }
}

}  // namespace heddle
