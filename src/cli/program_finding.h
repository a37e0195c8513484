// What the engine found in a program, tried again, and shown.
#pragma once

#include <string>
#include <vector>

#include "cli/program_run.h"
#include "finding/finding.h"
#include "record/search.h"

namespace heddle {

// What the engine found, with what came of trying it again.
struct ShownFinding {
  Finding finding;
  StepsRun run;
  std::uint32_t thread = 0;  // who went wrong
  std::uint32_t other_thread = 0;
  std::string trace;  // the file
};

struct ConfirmOptions {
  std::vector<std::string> command;
  std::string out;         // the folder for the trace
  std::size_t number = 1;  // of the finding
  std::string found_by;    // the subcommand
  StepSettings steps = {};
};

Result<ShownFinding> confirm(const SearchWitness& witness, const ConfirmOptions& options);

void print_finding(const ShownFinding& shown);

}  // namespace heddle
