// How many traces a search will visit in all, estimated from the part of its tree that it
// has seen.
//
// Knuth's estimator [Estimating the efficiency of backtrack programs, 1975] multiplies the
// numbers of branches along a way from the root to a leaf. Here the way is the path on which
// the search stands, and it is walked from its end to the root: what was finished below a
// node is counted, and what is left there is estimated. The explorer knows at which nodes of
// its path it has children still to visit; but not how large these are, and how many others
// it will find on the way.
//
// So their size is learnt: nodes with further children grew, from the leaves of their first
// child, by so much, those with a first child of about that size. A node on the path that has
// further children is taken to grow like the finished ones of its size, or of the largest size
// that is known.
//
// It is a guess. It is too low where later branches are larger than earlier ones, and too high
// where nodes near the root grow less than those below; both shows while the search goes on.
// (Random walks through the tree that sleep sets leave were worse by orders of magnitude, since
// nearly all of them end in vain where there are many threads.) Samples are taken from time to
// time, and it is only told while the last ones agree. An execution costs as much as its
// difference from the one before.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "explore/explorer.h"

namespace heddle {

class TraceEstimate final : public ExplorationListener {
 public:
  // The search that it listens to, and which is under way when total() is asked for; without
  // it, no node has any children left.
  void watch(const Explorer& explorer) { explorer_ = &explorer; }

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
    Transition taken;                // to the child on the path
    std::uint64_t children = 0;      // finished ones
    std::uint64_t leaves = 0;        // below those
    std::uint64_t first_leaves = 0;  // below the first of them
    bool has_further = false;        // children, after the first
  };
  // All finished nodes with further children, and a first one of about the same size.
  struct Finished {
    double first_leaves = 0;
    double leaves = 0;
  };

  bool visit(const Execution& execution, std::uint64_t leaves);
  void finish_down_to(std::size_t depth);
  void learn_from(const Node& node);
  // The leaves of a node with further children, if its first one has so many.
  double grown(double first_leaves) const;

  // Numbers of leaves of which the one is at most twice the other.
  static std::size_t class_of(double leaves) {
    return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(leaves)));
  }

  const Explorer* explorer_ = nullptr;
  std::vector<Node> path_;
  std::uint64_t leaves_at_end_ = 0;      // 1 if the path ends in a trace
  std::array<Finished, 65> finished_{};  // by class_of() their first children's leaves
  std::vector<double> samples_;          // at most kSamples, latest last
};

}  // namespace heddle
