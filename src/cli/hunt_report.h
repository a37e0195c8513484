// What `heddle hunt` says in the end: the races with their runs, then each warning with what was
// tried, and a summary.
#pragma once

#include <string>
#include <vector>

#include "explore/replay.h"
#include "hybrid/hunt.h"

namespace heddle {

struct HuntOutcome {
  std::string subject;  // what was searched, in words
  std::uint32_t runs = 0;
  const hybrid::HuntReport& report;
  double seconds = 0;
  std::vector<ReplayedFinding> findings = {};  // of the warnings with a witness, in their order
  std::vector<std::string> files = {};         // of the findings
};

void print_for_people(const HuntOutcome& outcome);
void print_json(const HuntOutcome& outcome);

}  // namespace heddle
