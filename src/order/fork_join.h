// What fork and join alone order, in every reordering: a parent's events up to the fork come before
// all of the child, and all of the child before what follows its join.
//
// That order is also one of happens-before, so that what it orders neither races nor comes next to
// each other. It is kept as clocks that change where a thread begins and where it joins another.
#pragma once

#include <cstdint>
#include <vector>

#include "order/facts.h"

namespace heddle::order {

class ForkJoin {
 public:
  explicit ForkJoin(const Facts& facts);

  // How many events of another thread come before the event.
  std::uint32_t before(Node node, ThreadId other) const;
  bool precedes(EventId a, EventId b) const;

 private:
  struct Step {
    std::uint32_t index;
    ClockId clock;  // from this event of the thread on
  };

  ClockId last(ThreadId thread) const;
  void fork(Node at, ThreadId child);
  void join(Node at, ThreadId child);

  const Facts& facts_;
  Clocks clocks_;
  Table<ThreadId, std::vector<Step>> steps_;
};

}  // namespace heddle::order
