// GenMAT and GenMAT': pairs of mutually atomic transactions.
//
// For two threads that stand at (f, g), a MAT is a pair of transactions from there of which
// only the last steps conflict. Then whatever the two threads do next, one of the two
// transactions can be taken whole before the other begins: if both had to wait for a step
// of the other, two conflicting steps of the rectangle would not both be last. So it is
// enough to switch where a transaction of a MAT ends to where the other one begins, and to
// look for MATs again from the three other corners of the rectangle [Ganai and Kundu 2009].
//
// Of the MATs from a pair the one is taken whose second transaction is shortest. With rule
// `any` conflicts between steps that cannot meet behind themselves do not count (GenMAT); with
// rule `feasible` only those count for which both orders of the two transactions are possible
// as far as locks tell (GenMAT').
//
// Departures. A transaction may branch: it then ends, on each way, at the first step that
// conflicts. Conflicts that do not count may still be harmful: if one thread can let go of its
// lock halfway through its transaction, the other can come in between; the paper's rules
// overlook that, so here each rectangle is checked (region.h), and if it is harmful all
// conflicts count. And the paper says that GenMAT' allows no switch that GenMAT does not allow,
// which is wrong; here a MAT of GenMAT' that would is not taken. Where such a MAT is needed, at
// a pair that GenMAT comes to as well, GenMAT's own is taken instead; elsewhere, which can only
// be at a fourth corner, none.
#pragma once

#include <vector>

#include "ranges/program.h"

namespace heddle::ranges {

enum class MatRule : std::uint8_t { any, feasible };

struct Mat {
  PointId first_begin{};
  std::vector<PointId> first_ends;  // one if the thread does not branch
  PointId second_begin{};
  std::vector<PointId> second_ends;
  friend bool operator==(const Mat&, const Mat&) = default;
};

struct MatOptions {
  MatRule rule = MatRule::feasible;
  bool as_published = false;  // do not check; for comparison
};

struct ContextSwitch {
  PointId source{};
  PointId target{};
  friend auto operator<=>(const ContextSwitch&, const ContextSwitch&) = default;
};
using Switches = std::vector<ContextSwitch>;  // sorted

// TP: from where a transaction ends to where the other begins.
Switches switches_of(const std::vector<Mat>& mats);

// Of one pair of threads, in the order in which they are found; `second` has priority.
std::vector<Mat> find_mats(const Program& program, ThreadId first, ThreadId second,
                           const MatOptions& options);
// Of all pairs; of each the later thread has priority.
std::vector<Mat> find_mats(const Program& program, const MatOptions& options);

}  // namespace heddle::ranges
