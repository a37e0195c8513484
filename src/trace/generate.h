// Random valid traces, for property tests and benchmarks.
//
// The generator runs an imaginary program: at each step it picks a thread and something
// that this thread may do in the current state (take a free lock, wake up when it was
// notified, ...), so every trace that it makes could have happened. The same options
// and seed give the same trace on every machine.
#pragma once

#include <cstdint>

#include "trace/trace.h"

namespace heddle {

struct GenerateOptions {
  std::size_t events = 40;  // about so many; the trace may end a little earlier or later
  std::uint32_t threads = 3;
  std::uint32_t locations = 3;
  std::uint32_t locks = 2;
  // Objects of the other types; 0 leaves their events out.
  std::uint32_t conditions = 1;
  std::uint32_t semaphores = 1;
  std::uint32_t barriers = 1;
  std::uint32_t onces = 1;
  std::uint32_t descriptors = 1;
  std::uint32_t regions = 1;  // heap blocks that are allocated, used and freed

  bool fork_join = true;     // threads are forked and joined; otherwise all run from the start
  bool begin_end = true;     // with begin and end events
  bool atomics = true;       // atomic accesses of every order, fences
  bool lock_kinds = true;    // recursive and readers-writer locks too, not only mutexes
  bool failed_tries = true;  // tries that fail, timed waits that time out
  bool nested_only = false;  // release locks in the reverse order of acquiring
  bool values = false;       // record values
  bool mixed_sizes = false;  // locations of several sizes that overlap
  bool markers = true;       // branches and lock requests, which have no effect
  bool exit = true;          // perhaps a process exit in the middle
};

Trace generate_trace(const GenerateOptions& options, std::uint64_t seed);

// Only reads, writes, locks, fork and join: what every tool of the field knows.
GenerateOptions lock_only_options();

}  // namespace heddle
