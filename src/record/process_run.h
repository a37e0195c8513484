// A process under the gate, from its start to its end: hands over its records as they come.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "record/launch.h"
#include "runtime/wire.h"

namespace heddle {

struct RunOptions {
  Launch launch;
  wire::Settings settings;
  std::vector<wire::Run> schedule;
  std::vector<wire::Range> shared;                 // for Selection::shared_only
  std::vector<wire::AllocationSite> shared_sites;  // the same, for a first try
  // A scout has only a first look at longer runs; 0: it runs to the end.
  std::uint64_t first_look = std::uint64_t{1} << 18;
  std::function<void(const std::string&)> warn = {};  // called while the program hangs
  bool end_when_hanging = false;
  // Then the program is ended, wherever it is.
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
};

struct ProcessEnd {
  int wait_status = 0;
  std::uint64_t left_out = 0;  // accesses that became no records
  std::uint32_t refused = 0;   // of a confined run: see wire.h
  bool cut = false;            // of a scout: it has seen enough
  // What a confined run printed (wire::Printed); none when it is too much.
  std::optional<std::string> printed = {};
  bool hung = false;         // nothing happened for long, so it was ended
  bool late = false;         // the time was up, so it was ended
  std::string message = {};  // the runtime's last word, if it had to say anything
};

// `false` ends the run early.
using TakeRecords = std::function<Result<bool>(std::span<const wire::Record> records)>;

// `describe_last` says in words who was seen last, and where. A program without the runtime
// is an error.
Result<ProcessEnd> run_process(const RunOptions& options, const TakeRecords& take,
                               const std::function<std::string()>& describe_last);

}  // namespace heddle
