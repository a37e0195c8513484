// Which points of two threads can be reached at the same time, as far as locks, forks and
// joins tell (the paper's lock-set analysis, and two facts more).
//
// For each point: the locks that its thread holds there on every way [Savage et al. 1997],
// the threads that it may have forked, and those that it has surely joined. Two points do not
// meet if both threads would hold a lock that excludes the other's, if one of them has begun
// before the only thread that forks it did so, or is not over though it was joined.
#pragma once

#include <algorithm>
#include <vector>

#include "ranges/flow.h"

namespace heddle::ranges {

struct HeldLock {
  SystemObject lock{};
  bool reader = false;
  std::uint32_t depth = 1;
  friend auto operator<=>(const HeldLock&, const HeldLock&) = default;
};
using LockSet = std::vector<HeldLock>;  // sorted by lock

bool exclude(const LockSet& a, const LockSet& b);

using FactsId = Index<struct FactsTag>;
struct Facts {
  LockSet held;
  std::vector<ThreadId> forked;  // perhaps
  std::vector<ThreadId> joined;  // surely
  friend auto operator<=>(const Facts&, const Facts&) = default;
};

class Meeting {
 public:
  explicit Meeting(const Flow& flow);

  bool can_meet(PointId a, PointId b) const {
    return agree(a, b) && agree(b, a) && !exclude(held(a), held(b));
  }
  // Whether a thread that stands at `target` could do something while another, at `source`,
  // holds what it holds there.
  bool can_switch(PointId source, PointId target) const {
    return can_meet(source, target) && !exclude(held(source), requested_[target]);
  }
  const LockSet& held(PointId point) const { return facts_[of_[point]].held; }
  // The lock that the next step waits for first, where that is certain.
  const LockSet& requested(PointId point) const { return requested_[point]; }
  bool may_have_forked(PointId point, ThreadId thread) const {
    const std::vector<ThreadId>& forked = facts_[of_[point]].forked;
    return std::binary_search(forked.begin(), forked.end(), thread);
  }
  FactsId facts(PointId point) const { return of_[point]; }
  std::size_t facts_count() const { return facts_.size(); }

 private:
  void collect_forkers();
  void follow(PointId point);
  Facts behind(PointId point, const Edge& edge) const;
  bool agree(PointId a, PointId b) const;
  void find_requested(PointId point);

  const Flow& flow_;
  Table<FactsId, Facts> facts_;
  Table<PointId, FactsId> of_;
  Table<PointId, LockSet> requested_;
  Table<ThreadId, ThreadId> only_forker_;  // of a forked thread; none: several or nobody
};

}  // namespace heddle::ranges
