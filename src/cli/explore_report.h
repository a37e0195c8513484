// What `heddle explore` says in the end: the findings, and a summary of the search.
#pragma once

#include <string>
#include <vector>

#include "cli/explore_strategy.h"
#include "explore/explorer.h"
#include "explore/replay.h"
#include "model/model.h"

namespace heddle {

// A search that is over, with all that is to be said about it.
struct ExploreReport {
  const model::Model& model;
  ModelSubject subject;
  const Strategy& strategy;
  ExploreCounters counters = {};
  bool finished = false;  // nobody stopped it
  bool complete = false;
  bool out_of_time = false;
  double seconds = 0;
  std::uint64_t peak_bytes = 0;
  std::vector<ReplayedFinding> findings = {};
  std::vector<std::string> files = {};  // of the findings, in the same order
};

void print_for_people(const ExploreReport& report);
void print_json(const ExploreReport& report);

}  // namespace heddle
