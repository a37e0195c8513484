// How many Mazurkiewicz traces a system has, estimated by random walks.
//
// The search tree that sleep sets leave has one leaf for every trace, and other leaves, where
// all who could go on are asleep, that count nothing. A walk from the root takes each branch
// with the same probability and multiplies the numbers of branches that it saw; the mean of
// these products over many walks tends to the number of leaves. [Knuth: Estimating the
// efficiency of backtrack programs, 1975] It is unbiased, but may vary wildly where few
// walks end in a trace: ask relative_error() before showing it to anybody.
//
// A walk costs a few times its number of steps, and nothing is kept of it. It does not
// depend on the explorer, which knows its own tree only when it is done.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "explore/execution.h"
#include "system/system.h"

namespace heddle {

class TraceEstimate {
 public:
  // The system is walked in, so it must not be the one that is explored.
  TraceEstimate(System& system, std::uint64_t seed, std::size_t max_steps)
      : system_(system), random_(seed), max_steps_(max_steps) {}

  void walk();

  std::uint64_t walks() const { return walks_; }
  double mean() const { return mean_; }
  // The standard error of the mean as a part of it; above 1 while there is nothing to say.
  double relative_error() const;

 private:
  struct Branch {
    Transition transition;
    std::vector<Access> accesses;
  };

  double weigh();
  bool find_branches();
  bool is_asleep(Transition transition) const;
  bool take_one();

  System& system_;
  Random random_;
  std::size_t max_steps_;
  std::vector<Branch> branches_;
  std::vector<Branch> sleepers_;
  std::uint64_t walks_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // sum of squared differences from the mean
};

}  // namespace heddle
