// Random models: small, always ending, with everything that the language has.
#pragma once

#include <cstdint>
#include <string>

namespace heddle {

struct RandomModelOptions {
  std::uint32_t threads = 3;
  std::uint32_t statements = 3;  // per block
  bool synchronisation = true;   // locks, conditions, semaphores, fork and join
  bool failures = true;          // assertions, ranges, indices that may go wrong
};

// The same text for the same seed, on every machine.
std::string random_model(const RandomModelOptions& options, std::uint64_t seed);

}  // namespace heddle
