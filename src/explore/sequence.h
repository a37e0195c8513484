// The reversal of a race: what a wakeup tree is made of.
//
// For a race between an earlier and a later event of an execution, it is the sequence of
// all that happened after the earlier event without depending on it, and then the later
// one. Only its initials matter to the algorithms: the transitions that could as well come
// first, because nothing before them in the sequence is dependent with them. A weak
// initial is an initial, or a transition outside the sequence that is independent of all
// of it. [Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic partial order reduction,
// POPL 2014 / Source sets, JACM 2017]
//
// What depends on what in it is known from the execution's happens-before: each item has
// the places of those that it depends on directly, and is an initial when all of them have
// been taken out. Taking out leaves a gap, so places stay what they are.
//
// Not all of it has to be explored as it stands, only what is needed: the later event with
// all that it depends on, and for everything that was explored before and is not a weak
// initial, one item that is dependent with it (its waker). So nobody sleeps at its end, and
// from there everything is explored and nothing in vain. The less is needed, the more
// executions one reversal stands for: if all that was used of it happened before the later
// event, then the race needs no second look in other executions that contain it.
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
  Execution::EventIndex event;  // or kNone, if it has not happened
};

LaterOperation later_operation(const Execution& execution, Execution::EventIndex e);

class Sequence {
 public:
  using Place = std::uint32_t;

  explicit Sequence(std::pmr::memory_resource* memory)
      : items_(memory),
        accesses_(memory),
        predecessors_(memory),
        place_of_(memory),
        to_be_needed_(memory),
        wakers_(memory) {}

  // Makes it all that happened after the earlier event, before `end`, without depending on
  // it, and then the later operation.
  void reverse(const Execution& execution, Execution::EventIndex earlier,
               Execution::EventIndex end, const LaterOperation& later);

  std::size_t size() const { return left_; }
  bool empty() const { return left_ == 0; }
  // Its places, some of which may be gaps.
  Place end() const { return static_cast<Place>(items_.size()); }
  Transition transition(Place place) const { return items_[place].transition; }
  std::span<const Access> accesses(Place place) const {
    return {accesses_.data() + items_[place].first_access, items_[place].access_count};
  }
  void take(Place place);
  // Whether it has to be explored, and is still there.
  bool needs(Place place) const { return items_[place].needed && !items_[place].taken; }
  bool needs_only_lasting() const;
  // Whether the item also belongs to the reversals of this race in all other executions
  // that agree with this one up to the later event.
  bool is_lasting(Place place) const { return place < lasting_ || place + 1 == end(); }

  // Sees to it that what is needed wakes the transition, which is no weak initial.
  void need_waker_of(Transition transition, std::span<const Access> accesses,
                     CheckCounters& counters);
  void need_everything();

  // The place of the transition, if it is an initial.
  std::optional<Place> initial(Transition transition) const;
  // If the transition is a weak initial: its place in the sequence, or end() if it is not
  // in it. Nothing if it is not one.
  std::optional<Place> weak_initial(Transition transition, std::span<const Access> accesses,
                                    CheckCounters& counters) const;

  // Two that begin at the same state are equal if the same threads take the same steps.
  friend bool operator==(const Sequence& a, const Sequence& b);

 private:
  struct Item {
    Transition transition;
    std::uint32_t first_access;
    std::uint32_t access_count;
    std::uint32_t first_predecessor;
    std::uint32_t predecessor_count;
    std::uint32_t index_in_thread;
    bool taken;
    bool needed;
  };

  void clear(std::size_t events);
  Item& append(Transition transition, std::span<const Access> accesses, std::uint32_t index);
  void add_predecessor(Item& item, Place place);
  Place first_of(ThreadId thread) const;
  bool is_initial(Place place) const;
  std::span<const Place> predecessors(Place place) const;
  void need(Place place);
  void need_one_of(std::span<const Place> places);
  static std::uint64_t hash_of(const Item& item);

  std::pmr::vector<Item> items_;
  std::pmr::vector<Access> accesses_;
  std::pmr::vector<Place> predecessors_;
  std::pmr::vector<Place> place_of_;  // by event after the earlier one; while being made
  std::pmr::vector<Place> to_be_needed_;  // scratch of need()
  std::pmr::vector<Place> wakers_;        // scratch of need_waker_of()
  Place first_ = 0;                   // nothing is left before it
  Place lasting_ = 0;                 // happened before the later event
  std::size_t left_ = 0;
  std::uint64_t hash_ = 0;  // sum over what is left
};

}  // namespace heddle
