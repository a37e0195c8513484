// Steps, what they access, and which of them conflict.
//
// A step leads from a point where others may run to the next such points; it is what the
// paper calls a transition. Two steps of different threads conflict if they may access the
// same object and at least one changes it. Locks are objects like others here: a lock
// excludes more by where its holders cannot meet (meeting.h) than by an order of accesses.
#pragma once

#include <span>
#include <vector>

#include "ranges/flow.h"

namespace heddle::ranges {

struct ObjectAccess {
  std::uint32_t first = 0;  // object
  std::uint32_t last = 0;
  EventKind kind = EventKind::read;
};

class Conflicts {
 public:
  explicit Conflicts(const Flow& flow);

  // The steps of all other threads that conflict with the step from this point, sorted.
  std::span<const PointId> of(PointId step) const { return conflicting_[step]; }
  std::span<const PointId> of(PointId step, ThreadId thread) const;
  bool between(PointId a, PointId b) const;
  // Where the step leads to: points where others may run, sorted.
  std::span<const PointId> targets(PointId step) const { return targets_[step]; }
  std::span<const ObjectAccess> accesses(PointId step) const { return accesses_[step]; }
  // Whether the step touches anything that others can touch, conflict or not.
  bool is_visible(PointId step) const { return !accesses_[step].empty(); }
  std::size_t access_count() const { return access_count_; }
  // Steps, in order, of one thread.
  std::span<const PointId> steps_of(ThreadId thread) const { return steps_[thread]; }

 private:
  void collect_accesses();
  void collect_targets();
  void compare(std::vector<std::pair<PointId, ObjectAccess>>& bucket);

  const Flow& flow_;
  Table<PointId, std::vector<ObjectAccess>> accesses_;
  Table<PointId, std::vector<PointId>> targets_;
  Table<PointId, std::vector<PointId>> conflicting_;
  Table<ThreadId, std::vector<PointId>> steps_;
  std::size_t access_count_ = 0;
};

}  // namespace heddle::ranges
