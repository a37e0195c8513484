// The quick way to a yes: reorderings that keep the order of the trace.
//
// Events that need nothing outside (Facts, Needs::trace_order), taken in the order of the trace,
// are a reordering as soon as every lock whose section is left open is not taken later: every
// read sees the write that it saw, since that write is there and nothing new stands between. So
// the only thing to do is to let sections end that are in the way, until nothing changes. That is
// what is known as a synchronisation-preserving reordering; it costs a few look-ups per thread,
// and decides most questions that have an answer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "order/facts.h"

namespace heddle::order {

struct Stop {
  ThreadId thread;
  std::uint32_t count;  // it has done exactly so many events
};

class TraceOrder {
 public:
  explicit TraceOrder(const Facts& facts) : facts_(facts) {}

  // Raises the counts, which must be closed under Needs::trace_order, until the events in trace
  // order are a reordering. False when the stops do not allow that; others ways may exist.
  bool close(std::vector<std::uint32_t>& counts, std::span<const Stop> stops) const;

  // So many events of each thread in the order of the trace.
  std::vector<EventId> sequence(std::span<const std::uint32_t> counts) const;

 private:
  bool is_taken_later(const Section& section, std::span<const std::uint32_t> counts) const;

  const Facts& facts_;
};

}  // namespace heddle::order
