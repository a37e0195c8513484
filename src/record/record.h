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
  std::uint64_t events = 0;
  std::uint64_t bytes = 0;
};

// Writes the trace to `path`; its last word is how the program ended.
Result<RecordedRun> record_run(const RunOptions& options, const std::string& path);

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
Result<ReplayedRun> replay_run(const std::string& trace_path, const ReplayRunOptions& options);

// The schedule of a trace: which thread each event belongs to.
Result<std::vector<wire::Run>> schedule_of_trace(const std::string& path);

}  // namespace heddle
