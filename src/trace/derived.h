// Everything that follows from a trace alone, each computed once in a linear pass.
//
// The trace must outlive it and must not change. Thread-safe once built.
#pragma once

#include "trace/cells.h"
#include "trace/happens_before.h"
#include "trace/object_events.h"
#include "trace/reads_from.h"
#include "trace/scopes.h"
#include "trace/thread_order.h"
#include "trace/trace.h"

namespace heddle {

struct Derived {
  explicit Derived(const Trace& trace)
      : order(trace),
        cells(trace.tables),
        reads_from(trace, cells),
        scopes(trace, order),
        objects(trace),
        happens_before(trace, order, cells) {}
  Derived(const Derived&) = delete;
  Derived& operator=(const Derived&) = delete;

  // Without the clocks.
  std::size_t memory_bytes() const {
    return order.memory_bytes() + cells.memory_bytes() + reads_from.memory_bytes() +
           scopes.memory_bytes() + objects.memory_bytes();
  }

  ThreadOrder order;
  Cells cells;
  ReadsFrom reads_from;
  Scopes scopes;
  ObjectEvents objects;
  HappensBefore happens_before;
};

}  // namespace heddle
