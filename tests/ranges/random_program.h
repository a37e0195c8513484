// Random small models for ranges: arithmetic, branches, nested locks, loops.
#pragma once

#include <cstdint>
#include <string>

namespace heddle {

struct RandomProgramOptions {
  std::uint32_t threads = 2;
  std::uint32_t statements = 4;  // per thread, about
  bool branches = true;
  bool loops = true;
  bool forks = true;
};

// The same text for the same seed, on every machine.
std::string random_program(const RandomProgramOptions& options, std::uint64_t seed);

}  // namespace heddle
