// Program order: whether a thread that stands at one point can come to another.
//
// In a thread without branches that is a comparison of numbers; for the others a bit per pair
// of points where others may run.
#pragma once

#include <cstdint>
#include <vector>

#include "ranges/conflicts.h"

namespace heddle::ranges {

class ProgramOrder {
 public:
  ProgramOrder(const Flow& flow, const Conflicts& steps);

  // Both of one thread, where others may run; a point comes to itself.
  bool reaches(PointId from, PointId to) const {
    if (from == to) return true;
    if (from > to) return false;
    const Branching& thread = branching_[flow_[from].thread];
    if (thread.words == 0) return true;
    const std::uint32_t bit = ordinal_[to];
    return (thread.bits[ordinal_[from] * thread.words + bit / 64] >> (bit % 64) & 1) != 0;
  }

 private:
  struct Branching {
    std::size_t words = 0;  // per row; 0: the thread has no branches
    std::vector<std::uint64_t> bits;
  };
  void fill(ThreadId thread, const Conflicts& steps);

  const Flow& flow_;
  Table<PointId, std::uint32_t> ordinal_;
  Table<ThreadId, Branching> branching_;
};

}  // namespace heddle::ranges
