// Happens-before of the trace as it was observed, as vector clocks.
//
// The edges are those of C++: program order, fork to child, child to join, release to
// later acquires of the same lock (of a reader to later writers only), notify to the
// wakes of those who were waiting, semaphore post to later waits, barrier arrivals to
// the leaves of the same generation, the end of a once to those who pass it, and
// release writes to the acquire reads that see them or a read-modify-write that
// follows them, with fences as in C++20. Plain reads and writes order nothing.
//
// A clock belongs to a stretch (thread_order.h). It counts, per thread, how many of its
// stretches lie before; a thread's own component is implied. So a release costs
// nothing, and an acquire makes a new clock only when it learns something.
#pragma once

#include <cstdint>

#include "trace/cells.h"
#include "trace/clocks.h"
#include "trace/thread_order.h"
#include "trace/trace.h"

namespace heddle {

class HappensBefore {
 public:
  HappensBefore(const Trace& trace, const ThreadOrder& order, const Cells& cells);

  // Whether a happens before b. An event does not happen before itself.
  bool operator()(EventId a, EventId b) const {
    const ThreadId thread = trace_->thread(a);
    if (thread == trace_->thread(b)) return a < b;
    return order_->stretch_in_thread(a) < stretches_before(b, thread);
  }
  bool unordered(EventId a, EventId b) const { return a != b && !(*this)(a, b) && !(*this)(b, a); }

  // How many of another thread's stretches, and how many of its events, happen before e.
  std::uint32_t stretches_before(EventId e, ThreadId other) const {
    return clocks_.component(clock_[order_->stretch(e)], other);
  }
  std::uint32_t events_before(EventId e, ThreadId other) const;

  std::size_t memory_bytes() const { return clocks_.memory_bytes() + clock_.memory_bytes(); }

 private:
  class Builder;

  const Trace* trace_;
  const ThreadOrder* order_;
  Clocks clocks_;
  Table<StretchId, ClockId> clock_;
};

}  // namespace heddle
