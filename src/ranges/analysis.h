// The whole pipeline, and what a user asks of it.
#pragma once

#include <memory>
#include <vector>

#include "ranges/everywhere.h"
#include "ranges/metric.h"
#include "ranges/propagate.h"

namespace heddle::ranges {

enum class Verdict : std::uint8_t { proved, unproved, unreachable };

struct AssertionResult {
  model::TransitionId transition{};
  Verdict verdict = Verdict::proved;
};

// The columns of the paper's Table 1 that do not depend on the graph.
struct Size {
  std::size_t threads = 0;
  std::size_t locals = 0;       // words
  std::size_t globals = 0;      // words and locks
  std::size_t accesses = 0;     // of anything shared
  std::size_t transitions = 0;  // loops unrolled
};
Size size_of(const Program& program);

struct Analysis {
  std::unique_ptr<Graph> graph;
  StateRanges states;
  std::vector<AssertionResult> assertions;
  std::vector<model::StateId> unreachable;
  std::vector<model::TransitionId> may_fail;  // values, indices, divisions that may go wrong
  Metric metric;
  std::size_t iterations = 0;
  double seconds = 0;
  bool complete = true;  // no loop was cut short
};

Analysis analyse(const Program& program, GraphKind kind, const PropagateOptions& options = {});

}  // namespace heddle::ranges
