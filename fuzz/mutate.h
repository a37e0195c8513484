// Changes to bytes that a fuzzer makes without knowing what they mean.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace heddle::fuzz {

// The same numbers from the same seed on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  // In [0, bound); 0 when bound is 0.
  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : engine_() % bound; }
  bool one_in(std::size_t n) { return below(n) == 0; }

 private:
  std::mt19937_64 engine_;
};

// One mutation or a few, perhaps with parts of `other`.
std::string mutate(std::string_view bytes, std::string_view other, Random& random);

// Cuts the bytes off somewhere, and nothing else.
std::string truncate(std::string_view bytes, Random& random);

}  // namespace heddle::fuzz
