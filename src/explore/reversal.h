// The reversal of a race: what is inserted into wakeup trees.
//
// For a race between an earlier and a later event of an execution, it is the sequence of
// all that happened after the earlier event without depending on it, the later one
// included. Only its initials matter to the algorithms: the transitions that could as well
// come first, because nothing before them in the sequence is dependent with them. A weak
// initial is an initial, or a transition outside the sequence that is independent of all
// of it. [Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic partial order reduction,
// POPL 2014 / Source sets, JACM 2017]
//
// Not all of it has to be explored as it stands, only what is needed: the items up to the
// later event, and for everything that was explored before and is not a weak initial, one
// item that is dependent with it (its waker). So nobody sleeps at its end, and from there
// everything is explored and nothing in vain. (The later event needs only what it depends
// on, but the rest, put before it, leaves the reversed pair to the end, where less has to be
// done again.)
//
// It is a view of the execution, one bit per event, and good as long as that stays as it
// is. What depends on what is known from happens-before: an event is an initial when all
// that it depends on directly, after the earlier event, has been taken out.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <optional>
#include <span>
#include <vector>

#include "explore/execution.h"

namespace heddle {

// The later operation of a race: an event, or what a blocked thread would do next.
struct LaterOperation {
  Transition transition;
  std::span<const Access> accesses;
  Execution::EventIndex previous;  // the last event of its thread before it
  std::span<const Execution::Predecessor> predecessors;
  Execution::EventIndex event;  // the execution's size, if it has not happened
};

inline LaterOperation later_operation(const Execution& execution, Execution::EventIndex e) {
  return {execution.transition(e), execution.accesses(e), execution.previous_in_thread(e),
          execution.predecessors_of(e), e};
}

class Reversal {
 public:
  // An item is the event of that number, or the later operation.
  using Place = Execution::EventIndex;

  Reversal(const Execution& execution, std::pmr::memory_resource* memory)
      : execution_(execution), left_(memory), first_of_(memory) {}

  void assign(Execution::EventIndex earlier, const LaterOperation& later);

  // Its places, not all of which have an item.
  Place begin() const { return first_; }
  Place end() const { return end_; }
  bool has(Place place) const { return (word(place) & bit(place)) != 0; }
  // Whether there is an item that has to be explored.
  bool needs(Place place) const { return place <= last_needed_ && has(place); }
  Transition transition(Place place) const {
    return place == later_.event ? later_.transition : execution_.transition(place);
  }
  std::span<const Access> accesses(Place place) const {
    return place == later_.event ? later_.accesses : execution_.accesses(place);
  }
  void take(Place place);
  // What was not the later operation will be the same in the reversed order.
  bool is_later(Place place) const { return place == later_.event; }
  // Whether the later operation was taken.
  bool is_reversed() const { return !has(later_.event); }

  // Sees to it that what is needed wakes the transition, which is no weak initial, and says
  // up to where that is.
  Place need_waker_of(Transition transition, std::span<const Access> accesses,
                      CheckCounters& counters) {
    const Place own = first_of(transition.thread);
    // It comes before the thread's own item; and up to the later event all are needed anyway.
    return own <= later_.event ? own : need_waker(own, transition, accesses, counters);
  }
  void need_everything() { last_needed_ = end_; }

  // The place of the transition, if it is an initial.
  std::optional<Place> initial(Transition transition) const {
    const Place place = first_of(transition.thread);
    if (place == end_ || this->transition(place) != transition) return std::nullopt;
    return place == first_ || is_initial(place) ? std::optional(place) : std::nullopt;
  }
  // If the transition is a weak initial: its place, or end() if there is no item for it.
  // Nothing if it is not one.
  std::optional<Place> weak_initial(Transition transition, std::span<const Access> accesses,
                                    CheckCounters& counters) const {
    if (first_of(transition.thread) < end_) return initial(transition);
    return is_independent(accesses, counters) ? std::optional(end_) : std::nullopt;
  }

 private:
  std::uint64_t word(Place place) const { return left_[(place - earlier_) / 64]; }
  std::uint64_t& word(Place place) { return left_[(place - earlier_) / 64]; }
  std::uint64_t bit(Place place) const { return std::uint64_t{1} << (place - earlier_) % 64; }

  // The first item of the thread; end() if there is none.
  Place first_of(ThreadId thread) const { return first_of_[thread.value()]; }
  void add(Place place, ThreadId thread);
  Place next_of_thread(Place place) const;
  bool is_initial(Place place) const;
  Place need_waker(Place own, Transition transition, std::span<const Access> accesses,
                   CheckCounters& counters);
  // Whether no item left is dependent with the operation.
  bool is_independent(std::span<const Access> accesses, CheckCounters& counters) const;
  // Calls visit with each item left that is dependent with the operation, until it says true.
  template <typename Visit>
  void visit_dependent(std::span<const Access> accesses, CheckCounters& counters,
                       Visit visit) const;
  // Calls visit with each item left that the one at the place depends on directly.
  template <typename Visit>
  void for_each_predecessor(Place place, Visit visit) const;

  const Execution& execution_;
  LaterOperation later_{};
  Execution::EventIndex earlier_ = 0;
  Place first_ = 0;  // nothing is left before it
  Place end_ = 0;
  Place last_needed_ = 0;                 // all items up to there are needed
  std::pmr::vector<std::uint64_t> left_;  // a bit for each item, by distance from the earlier event
  std::pmr::vector<Place> first_of_;      // by thread
};

}  // namespace heddle
