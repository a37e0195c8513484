// Can threads come to wait for each other in a ring, each for a lock that the next one holds?
//
// A request is an acquire that waits as long as it takes, with the locks that its thread holds
// there. Requests of the same thread for the same lock with the same locks held make a class;
// rings are found among the classes, each lock of a ring being held by one of its threads only
// (a lock that two of them hold would keep them apart). Then every combination of requests of the
// classes is asked: all of its threads stop in front of their requests.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "predict/question.h"

namespace heddle::predict {

struct DeadlockOptions {
  Budget budget = {};
  // At most so many combinations of requests are asked per ring of classes, and no more after
  // the first that can happen; 0: all.
  std::uint64_t per_ring = 0;
  std::size_t longest_ring = 8;
  // Whether a yes needs its sequence, which on a long trace takes longer than the answer; always,
  // unless somebody knows better.
  std::function<bool(const std::vector<EventId>& waiting)> needs_sequence = {};
};

struct DeadlockAnswer {
  std::vector<EventId> waiting;  // sorted
  Shown shown;                   // the sequence ends where all of them come next
};

struct DeadlockCounters {
  std::uint64_t requests = 0;  // of locks, by threads that hold one
  std::uint64_t classes = 0;
  std::uint64_t rings = 0;  // of classes
  std::uint64_t asked = 0;
  std::uint64_t left_out = 0;
};

class Deadlocks {
 public:
  Deadlocks(const Facts& facts, DeadlockOptions options)
      : facts_(facts), options_(std::move(options)) {}

  DeadlockCounters ask_all(const std::function<void(DeadlockAnswer)>& tell) const;

 private:
  const Facts& facts_;
  DeadlockOptions options_;
};

}  // namespace heddle::predict
