// What `heddle ranges` says in the end: assertions, unreachable states, intervals, graphs.
#pragma once

#include <cstdint>
#include <vector>

#include "ranges/analysis.h"

namespace heddle {

struct RangesReport {
  const model::Model& model;
  const ranges::Program& program;
  std::uint32_t unroll = 0;
  ranges::PropagateOptions options;
  const ranges::Analysis& chosen;            // whose intervals are shown
  std::vector<const ranges::Analysis*> all;  // whose graphs are compared
};

// Assertions and checks of ranges that are not proved.
std::size_t unproved(const ranges::Analysis& analysis);

void print_for_people(const RangesReport& report);
void print_table(const RangesReport& report);
void print_json(const RangesReport& report);

}  // namespace heddle
