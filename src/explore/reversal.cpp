#include "explore/reversal.h"

#include <algorithm>

#include "explore/dependence.h"

namespace heddle {

using EventIndex = Execution::EventIndex;

void Reversal::assign(EventIndex earlier, const LaterOperation& later) {
  later_ = later;
  earlier_ = earlier;
  last_needed_ = later.event;
  const auto size = static_cast<EventIndex>(execution_.size());
  end_ = later.event == size ? size + 1 : size;
  left_.assign((end_ - earlier + 63) / 64, 0);
  first_of_.assign(execution_.thread_count(), end_);
  if (later.event == size) add(size, later.transition.thread);
  const Execution::Successors follows = execution_.successors_of(earlier);
  for (EventIndex e = size; --e > earlier;) {
    if (e == later.event || !follows(e)) add(e, execution_.thread(e));
  }
}

void Reversal::add(Place place, ThreadId thread) {
  word(place) |= bit(place);
  first_of_[thread.value()] = place;
  first_ = place;
}

void Reversal::take(Place place) {
  word(place) &= ~bit(place);
  while (first_ < end_ && !has(first_)) ++first_;
  first_of_[transition(place).thread.value()] = next_of_thread(place);
}

Reversal::Place Reversal::next_of_thread(Place place) const {
  if (place == execution_.size()) return end_;
  const EventIndex next = execution_.next_in_thread(place);
  if (next != Execution::kNone) return has(next) ? next : end_;
  const bool pending = later_.event == execution_.size() && later_.previous == place;
  return pending ? later_.event : end_;
}

template <typename Visit>
void Reversal::for_each_predecessor(Place place, Visit visit) const {
  const bool is_later = place == later_.event;
  const EventIndex previous = is_later ? later_.previous : execution_.previous_in_thread(place);
  if (previous != Execution::kNone && previous > earlier_ && has(previous)) visit(previous);
  const auto predecessors = is_later ? later_.predecessors : execution_.predecessors_of(place);
  for (const Execution::Predecessor& predecessor : predecessors) {
    if (predecessor.event > earlier_ && has(predecessor.event)) visit(predecessor.event);
  }
}

template <typename Visit>
void Reversal::visit_dependent(std::span<const Access> accesses, CheckCounters& counters,
                               Visit visit) const {
  const auto is_left = [&](EventIndex e) { return has(e); };
  execution_.visit_dependent(accesses, earlier_, is_left, counters, visit);
  if (later_.event < execution_.size() || !has(later_.event)) return;
  ++counters.dependency_checks;
  if (dependent(later_.accesses, accesses)) visit(later_.event);
}

bool Reversal::is_initial(Place place) const {
  if (place != later_.event && execution_.is_free_from(earlier_, place)) return true;
  bool initial = true;
  for_each_predecessor(place, [&](Place) { initial = false; });
  return initial;
}

bool Reversal::is_independent(std::span<const Access> accesses, CheckCounters& counters) const {
  bool independent = true;
  visit_dependent(accesses, counters, [&](Place) {
    independent = false;
    return true;
  });
  return independent;
}

// ----- what is needed -----------------------------------------------------------------------

// The first item that does it; but up to the later event all are needed anyway.
Reversal::Place Reversal::need_waker(Place own, Transition transition,
                                     std::span<const Access> accesses, CheckCounters& counters) {
  Place waker = end_;
  const auto consider = [&](Place place) {
    waker = std::min(waker, place);
    return waker <= later_.event;
  };
  if (own == end_) {
    visit_dependent(accesses, counters, consider);
  } else if (this->transition(own) == transition) {
    for_each_predecessor(own, consider);
  } else {
    waker = own;
  }
  if (waker < end_) last_needed_ = std::max(last_needed_, waker);
  return waker;
}

}  // namespace heddle
