// A long trace with the locality of a real program, for benchmarks.
#pragma once

#include <cstdint>

#include "trace/trace.h"

namespace heddle::bench {

struct LocalTraceOptions {
  std::size_t events = 10'000'000;
  bool values = false;
  std::uint64_t seed = 1;
};

// Eight threads run an imaginary program of 200 loops. A loop has two to nine
// statements, each with a site and a kind of its own: a read or write that walks along
// the thread's part of an array, one of a hot variable, one of a random element of a
// table, an atomic counter, a branch, or a section of some accesses under a lock. A loop
// runs 3 to 200 times and another, chosen at random, follows. A thread is preempted
// after 40 events on average, at random, but not while it holds a lock. Values are what
// a machine would show: reads see the last write; what is written is a counter one
// further on, or a random 32-bit number.
Trace make_local_trace(const LocalTraceOptions& options);

}  // namespace heddle::bench
