// A small random number generator that gives the same numbers on every machine.
//
// splitmix64 (Steele, Lea, Flood, OOPSLA 2014): one addition and two multiplications a
// number, every seed is a good one. Not for secrets.
#pragma once

#include <cstdint>

namespace heddle {

class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

  // A number in [0, bound); bound must not be 0.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>((next() >> 32) * bound >> 32);
  }

  bool chance(std::uint32_t percent) { return below(100) < percent; }

 private:
  std::uint64_t state_;
};

}  // namespace heddle
