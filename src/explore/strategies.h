// Searches that are bounded or left to chance, for where visiting every trace takes too long.
//
// They are explorers like the algorithms, each with a setting of its own; what they promise
// instead of completeness stands in the first comment of each file, and in
// docs/exploration.md.
#pragma once

#include <cstdint>
#include <memory>

#include "explore/explorer.h"

namespace heddle {

struct RandomOptions {
  std::uint64_t executions = 1;
  std::uint64_t seed = 0;  // the same seed makes the same executions
};

// Each step by one of the ready threads, any with the same probability: random.cpp.
std::unique_ptr<Explorer> make_random_explorer(System& system, ExplorationListener& listener,
                                               const ExploreOptions& options,
                                               const RandomOptions& random);

// Random priorities with depth - 1 random changes; the depth is at least 1: pct.cpp.
std::unique_ptr<Explorer> make_pct_explorer(System& system, ExplorationListener& listener,
                                            const ExploreOptions& options,
                                            const RandomOptions& random, std::uint32_t depth);
// The probability, at least, that one execution shows a bug of that depth in a program of so
// many threads that makes at most so many steps.
double pct_bound(std::size_t threads, std::uint64_t steps, std::uint32_t depth);

// Every trace that has an execution with at most so many preemptions: preemptions.cpp.
std::unique_ptr<Explorer> make_preemptions_explorer(System& system, ExplorationListener& listener,
                                                    const ExploreOptions& options,
                                                    std::uint32_t max_preemptions);

}  // namespace heddle
