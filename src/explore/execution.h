// The execution that is being explored: its events so far, what they accessed, and their
// happens-before relation.
//
// Events form a stack: push() and pop_to() follow the system's step() and rewind().
// Happens-before is the least order with program order in which dependent events are
// ordered as they happened. It is kept as one vector clock per event, and computed only
// when somebody asks (order_up_to), since many executions need none: inside a section
// EPOR knows all races beforehand.
//
// The accesses to one object are chained, latest first. What a new event depends on
// directly is found by walking the chains of its objects back to an access that depends
// on all before it (the last write of a variable).
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "explore/dependence.h"
#include "system/operation.h"

namespace heddle {

// How often the explorers looked whether two events are dependent, and whether two form
// a race; counted in the same way by all algorithms.
struct CheckCounters {
  std::uint64_t dependency_checks = 0;  // pairs of operations compared
  std::uint64_t race_checks = 0;        // pairs of events looked at as a possible race
};

// A transition: a thread's next operation, in one of its ways.
struct Transition {
  ThreadId thread;
  std::uint32_t choice = 0;
  friend bool operator==(const Transition&, const Transition&) = default;
};

class Execution {
 public:
  using EventIndex = std::uint32_t;

  // A direct predecessor of an operation: an earlier event of another thread that it
  // depends on, with the kind of their order. There may be several per event.
  struct Predecessor {
    EventIndex event;
    SystemObject object;
    Order order;
  };

  Execution(std::size_t threads, std::size_t objects, std::pmr::memory_resource* memory);

  std::size_t thread_count() const { return threads_; }
  std::size_t size() const { return events_.size(); }
  void push(Transition transition, std::span<const Access> accesses, std::uint32_t section);
  void pop_to(std::size_t size);

  Transition transition(EventIndex e) const { return events_[e].transition; }
  ThreadId thread(EventIndex e) const { return events_[e].transition.thread; }
  std::uint32_t section(EventIndex e) const { return events_[e].section; }
  std::span<const Access> accesses(EventIndex e) const {
    return {accesses_.data() + events_[e].first_access, accesses_.data() + end_of_accesses(e)};
  }

  // Computes happens-before for the first `size` events.
  void order_up_to(std::size_t size, CheckCounters& counters);
  // Whether a happens before b, or is b; both ordered already.
  bool before(EventIndex a, EventIndex b) const {
    return clock(b)[thread(a).value()] > events_[a].index_in_thread;
  }
  // The same, for one first event and many second ones.
  class Successors {
   public:
    bool operator()(EventIndex e) const { return first_clock_[e * threads_] > index_; }

   private:
    friend Execution;
    Successors(const std::uint32_t* first_clock, std::size_t threads, std::uint32_t index)
        : first_clock_(first_clock), threads_(threads), index_(index) {}
    const std::uint32_t* first_clock_;  // its thread's number in it
    std::size_t threads_;
    std::uint32_t index_;
  };
  Successors successors_of(EventIndex e) const {
    return {clocks_.data() + thread(e).value(), threads_, events_[e].index_in_thread};
  }

  // Whether nothing from event `from` on happens before event e, which is ordered.
  bool is_free_from(EventIndex from, EventIndex e) const {
    return orders_[e].end_of_causes <= from;
  }

  // What the operation depends on directly if it follows the ordered events. One that
  // happened already, event e, is asked for by `predecessors_of(e)`.
  void predecessors(ThreadId thread, std::span<const Access> accesses,
                    std::pmr::vector<Predecessor>& result, CheckCounters& counters) const;
  std::span<const Predecessor> predecessors_of(EventIndex e) const {
    return {predecessors_.data() + orders_[e].first_predecessor,
            predecessors_.data() + end_of_predecessors(e)};
  }
  // Calls visit with each candidate among the ordered events after the given one that is
  // dependent with the operation, maybe more than once, until it says true.
  template <typename Candidate, typename Visit>
  void visit_dependent(std::span<const Access> accesses, EventIndex after, Candidate candidate,
                       CheckCounters& counters, Visit visit) const;
  // The last event of the thread before event e (or at all, for e = size()); size() if none.
  EventIndex previous_in_thread(EventIndex e) const { return events_[e].previous_in_thread; }
  EventIndex next_in_thread(EventIndex e) const { return events_[e].next_in_thread; }
  std::uint32_t index_in_thread(EventIndex e) const { return events_[e].index_in_thread; }
  EventIndex last_of(ThreadId thread) const { return last_of_[thread]; }
  static constexpr EventIndex kNone = 0xffffffff;

 private:
  struct Event {
    Transition transition;
    std::uint32_t section;
    std::uint32_t first_access;
    EventIndex previous_in_thread;
    EventIndex next_in_thread;
    std::uint32_t index_in_thread;
  };
  struct OrderedEvent {
    std::uint32_t first_predecessor;
    std::uint32_t first_link;
    std::uint32_t end_of_causes;  // all that happens before it stands before this place
  };
  // An access in the chain of its object.
  struct Link {
    Access access;
    EventIndex event;
    std::uint32_t previous;
  };

  std::size_t end_of_accesses(EventIndex e) const {
    return e + 1 < events_.size() ? events_[e + 1].first_access : accesses_.size();
  }
  std::size_t end_of_predecessors(EventIndex e) const {
    return e + 1 < orders_.size() ? orders_[e + 1].first_predecessor : predecessors_.size();
  }
  const std::uint32_t* clock(EventIndex e) const { return clocks_.data() + e * threads_; }
  void order_next(CheckCounters& counters);
  void unorder_to(std::size_t size);

  std::size_t threads_;
  std::pmr::vector<Event> events_;
  std::pmr::vector<Access> accesses_;
  Table<ThreadId, EventIndex> last_of_;
  // For the ordered events:
  std::pmr::vector<OrderedEvent> orders_;
  std::pmr::vector<std::uint32_t> clocks_;  // of threads_ numbers each
  std::pmr::vector<Predecessor> predecessors_;
  std::pmr::vector<Link> links_;
  Table<SystemObject, std::uint32_t> head_;  // of the object's chain
};

template <typename Candidate, typename Visit>
void Execution::visit_dependent(std::span<const Access> accesses, EventIndex after,
                                Candidate candidate, CheckCounters& counters, Visit visit) const {
  for (const Access& access : accesses) {
    for (std::uint32_t i = head_[access.object]; i != kNone; i = links_[i].previous) {
      const Link& link = links_[i];
      if (link.event <= after) break;
      if (!candidate(link.event)) continue;
      ++counters.dependency_checks;
      if (order_of(link.access.kind, access.kind) == Order::free) continue;
      if (visit(link.event)) return;
    }
  }
}

}  // namespace heddle
