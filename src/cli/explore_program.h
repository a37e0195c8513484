// heddle explore -- PROGRAM ARGUMENTS: every interleaving of a compiled program that matters.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/explore_strategy.h"
#include "cli/progress.h"
#include "record/nondet_range.h"

namespace heddle {

struct ExploreProgramOptions {
  std::vector<std::string> command;
  StrategyOptions strategy;
  ProgressOptions progress;
  std::optional<double> seconds;
  std::optional<std::uint64_t> max_executions;
  std::size_t max_steps = 10'000;
  std::string out = "heddle-out";
  std::string reset = "memory";
  std::optional<double> step_seconds;
  NondetRange nondet = {};
  bool outputs = false;
  bool keep_going = false;
  bool require_complete = false;
  bool json = false;
};

ExitStatus explore_program(const ExploreProgramOptions& options, const Strategy& strategy);

}  // namespace heddle
