// How many traces a search will visit in all, estimated from the part of its tree that it
// has seen.
//
// Knuth's estimator [Estimating the efficiency of backtrack programs, 1975] multiplies the
// numbers of branches along a way from the root to a leaf. A reduced search knows the
// branches of a node only when it has left it, so the way is the path on which the search
// stands, and a node on it is taken to have as many branches as the nodes of its depth that
// are finished had on the average (where there is none: as all finished nodes), each with as
// many leaves as a finished node has there. What is finished is counted as it is.
//
// It is a guess, and mostly too low: the upper part of the tree is judged by what is below,
// where there are fewer branches. (Judged by the next depth alone it was wrong by orders of
// magnitude, and so were random walks through the tree that sleep sets leave, since nearly
// all of them end in vain where there are many threads.) Samples are taken from time to
// time, and it is only told while the last ones agree.
//
// An execution costs as much as its difference from the one before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "explore/explorer.h"

namespace heddle {

class TraceEstimate final : public ExplorationListener {
 public:
  bool on_execution(const Execution& execution) override { return visit(execution, 1); }
  bool on_dropped(const Execution& execution) override { return visit(execution, 0); }
  bool on_failure(const Execution&, Failure) override { return true; }

  // Of all traces, those visited included; never less than those.
  double total() const;

  // Remembers what total() is now.
  void sample();
  // The median of the last samples, unless there are too few or they differ too much.
  std::optional<double> agreed() const;

  static constexpr std::size_t kSamples = 9;
  static constexpr double kAgreement = 3;  // the largest of them divided by the smallest

 private:
  // A node on the path.
  struct Node {
    Transition taken;            // to the child on the path
    std::uint64_t children = 0;  // finished ones
    std::uint64_t leaves = 0;    // below those
  };
  // All nodes of one depth that are finished.
  struct Depth {
    std::uint64_t nodes = 0;
    std::uint64_t children = 0;
    std::uint64_t leaves = 0;
  };

  bool visit(const Execution& execution, std::uint64_t leaves);
  void finish_down_to(std::size_t depth);

  std::vector<Node> path_;
  std::uint64_t leaves_at_end_ = 0;  // 1 if the path ends in a trace
  std::vector<Depth> depths_;
  Depth all_;                    // taken together
  std::vector<double> samples_;  // at most kSamples, latest last
};

}  // namespace heddle
