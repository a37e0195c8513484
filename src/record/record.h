// Recording: one run of a program into a trace file. Replaying: the same run again, event by
// event.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "record/run.h"
#include "trace/stream.h"

namespace heddle {

struct RecordedRun {
  RunResult result;
  std::string everything_because;  // why nothing was left out although it was to be
  std::uint64_t events = 0;
  std::uint64_t bytes = 0;
};

// Writes the trace to `path`; its last word is how the program ended. With `shared_only`,
// accesses to memory that one thread at a time owns are left out: a scout finds out first
// what is shared, or what is to be expected of a long run (runtime/forecast.h), unless `options`
// say so already.
Result<RecordedRun> record_run(const RunOptions& options, const std::string& path,
                               bool shared_only = false);

// Where a replay went another way than the trace.
struct DivergedEvent {
  std::uint64_t event = 0;
  std::string expected;
  std::string came;
};

struct ReplayedRun {
  RunResult result;
  std::uint64_t events = 0;
  std::optional<DivergedEvent> divergence;
};

struct ReplayRunOptions {
  Launch launch;                            // its command may be empty: the recorded one
  std::optional<std::uint64_t> until = {};  // stop before this event
  bool debugger = false;                    // run it under gdb, and stop there
};

// Runs the program along the trace's schedule and compares every event. Under the debugger
// the result is gdb's, and the comparison ends at the first difference, not the program.
Result<ReplayedRun> replay_run(const std::string& trace_path, const ReplayRunOptions& replay);

// What makes the run of a trace happen again: its policy and seed where accesses were left
// out and they are known, else the order of its events.
Result<RunOptions> options_to_follow(const std::string& path);

}  // namespace heddle
