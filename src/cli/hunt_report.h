// What `heddle hunt` says in the end: the races with their runs, then each warning with what was
// tried, and a summary.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "finding/finding.h"
#include "hybrid/hunt.h"

namespace heddle {

struct HuntOutcome {
  std::string subject;  // what was searched, in words
  std::uint32_t runs = 0;
  const hybrid::HuntReport& report;
  double seconds = 0;
  std::vector<Finding> findings = {};  // of the warnings with a race, in their order
  std::vector<std::string> files = {};
  std::function<void(std::size_t)> show = {};  // prints the finding of that number
};

void print_for_people(const HuntOutcome& outcome);
void print_json(const HuntOutcome& outcome);

}  // namespace heddle
