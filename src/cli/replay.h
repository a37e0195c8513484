// The two things that `heddle replay` can make happen again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/exit_status.h"
#include "finding/finding.h"

namespace heddle {

struct ReplayFindingOptions {
  std::string finding;
  std::string model;  // another place of it
  bool json = false;
  std::vector<std::string> command = {};  // of a program: instead of the one that it was found on
  bool randomise = false;
  bool gdb = false;
};
ExitStatus replay_finding(const ReplayFindingOptions& options);
// On the program that it was found on.
ExitStatus replay_on_program(const ReplayFindingOptions& options, const Finding& finding);

struct ReplayTraceOptions {
  std::string trace;
  std::vector<std::string> command;  // instead of the one that was recorded
  bool randomise = false;
  std::optional<std::uint64_t> until;  // stop before this event
  bool gdb = false;
};
ExitStatus replay_trace(const ReplayTraceOptions& options);

}  // namespace heddle
