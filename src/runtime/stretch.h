// Stretches: the pieces of a thread's life between its forks, numbered as they begin.
//
// What one thread did before it forked another is over when that one begins, and all that a
// thread did is over when it has been joined: in every run, whatever the schedule. So memory that
// threads hand on by fork and join alone is as good as private. Whether the stretch that touched
// it last is certainly over is all that has to be known, and each thread knows it of a set of
// stretches, which it inherits by fork and gathers by join.
//
// Sets are few intervals of numbers, as threads that are joined leave no gaps. Where there
// are too many, the shortest is forgotten, and what it owned counts as shared.
#pragma once

#include <cstdint>

namespace heddle::runtime {

class Stretches {
 public:
  bool contains(std::uint16_t stretch) const {
    for (std::uint32_t i = count_; i-- > 0;) {
      if (stretch >= intervals_[i].low) return stretch <= intervals_[i].high;
    }
    return false;
  }
  void add(std::uint16_t stretch) { add({stretch, stretch}); }
  void add(const Stretches& others) {
    for (std::uint32_t i = 0; i < others.count_; ++i) add(others.intervals_[i]);
  }

 private:
  static constexpr std::uint32_t kMost = 32;
  struct Interval {
    std::uint16_t low;
    std::uint16_t high;
    std::uint32_t length() const { return high - low + 1u; }
  };

  void add(Interval added);
  void remove_at(std::uint32_t place);
  void forget_shortest();

  std::uint32_t count_ = 0;
  Interval intervals_[kMost + 1] = {};  // ascending, neither overlapping nor next to each other
};

}  // namespace heddle::runtime
