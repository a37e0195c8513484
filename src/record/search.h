// A search of a program's interleavings, as seen from outside: starts the program, in which
// the engine searches (src/engine), and reads what it has to say.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "record/launch.h"
#include "record/nondet_range.h"
#include "record/record.h"
#include "runtime/wire.h"

namespace heddle {

// A step of the search: a thread's next visible operation, in one of its ways.
struct SearchStep {
  std::uint32_t thread = 0;
  std::uint32_t choice = 0;
};

struct SearchProgress {
  std::uint64_t executions = 0;
  double estimate = 0;  // of all; 0: nothing to say
};

// What is a step, and what its choices are.
struct StepSettings {
  NondetRange nondet = {};
  bool prints = false;  // printing is one, so that its order is searched
};

// Where the steps are taken.
enum class Under : std::uint8_t { nothing, debugger };

struct SearchOptions {
  Launch launch;
  wire::SearchSettings settings;
  StepSettings steps = {};
  double step_seconds = 30;               // a step that takes longer does not come to its end
  double patience = 10;                   // seconds for the last execution, once the time is up
  std::vector<SearchStep> schedule = {};  // with a paused thread: what comes before the search
  // Called several times a second while the search runs.
  std::function<void(const SearchProgress&)> progress = {};
};

struct SearchWitness {
  std::string kind;                // as in finding/finding.h
  std::string message;             // what the program, or its end, said
  std::uint32_t thread = 0;        // who went wrong
  std::uint32_t other_thread = 0;  // with whom it races
  std::vector<SearchStep> schedule = {};
};

// What executions printed, and how many of them printed just that.
struct SearchOutput {
  std::string text;
  std::uint64_t executions = 0;
};

struct SearchResult {
  std::map<std::string, std::uint64_t> counters;  // of ExploreCounters, by name
  std::vector<SearchWitness> witnesses;
  std::vector<SearchOutput> outputs;  // where the settings ask for them
  std::vector<SearchStep> ran = {};   // the last execution, if the settings ask for it
  std::string end;  // finished, found, time, executions; strayed: the schedule cannot be followed
  std::string divergence;  // why the program could not be explored so; empty: it could
};

// What the engine writes in one line with tabs in between: at least so many fields.
std::vector<std::string> fields_in(const std::string& line, std::size_t least);

// A search whose last execution does not end is an error.
Result<SearchResult> run_search(const SearchOptions& options);

// Runs the steps once more, with everything in the log, into a trace at `path`.
Result<RecordedRun> record_steps(const std::vector<std::string>& command,
                                 const std::vector<SearchStep>& steps, const std::string& path,
                                 const StepSettings& settings = {}, Under under = Under::nothing);

}  // namespace heddle
