#include "ranges/region.h"

#include <algorithm>
#include <map>

namespace heddle::ranges {
namespace {

void add_all(LockSet& locks, const LockSet& more) {
  for (const HeldLock& lock : more) {
    const auto at = std::lower_bound(locks.begin(), locks.end(), lock);
    if (at == locks.end() || *at != lock) locks.insert(at, lock);
  }
}

template <typename T>
bool has(const std::vector<T>& sorted, T item) {
  return std::binary_search(sorted.begin(), sorted.end(), item);
}

// For each step ahead, in order, the locks that are taken up to it and by it.
class LocksAhead {
 public:
  LocksAhead(const Program& program, PointId begin) : program_(program) { arrive(begin, {}); }

  bool empty() const { return waiting_.empty(); }
  PointId next() const { return waiting_.begin()->first; }
  LockSet take() {
    LockSet acquired = std::move(waiting_.begin()->second);
    add_all(acquired, program_.meeting.requested(next()));
    waiting_.erase(waiting_.begin());
    return acquired;
  }
  void go_on(PointId step, const LockSet& acquired) {
    for (const PointId target : program_.conflicts.targets(step)) arrive(target, acquired);
  }

 private:
  void arrive(PointId point, const LockSet& acquired) { add_all(waiting_[point], acquired); }

  const Program& program_;
  std::map<PointId, LockSet> waiting_;
};

}  // namespace

template <typename IsLast>
void Region::grow(const Program& program, const IsLast& is_last) {
  steps_.clear(), last_.clear(), ends_.clear();
  LocksAhead ahead(program, begin_);
  while (!ahead.empty()) {
    const PointId step = ahead.next();
    const LockSet acquired = ahead.take();
    if (program.flow.is_last(step) || has(ends_, step)) {
      add_end(step);
      continue;
    }
    steps_.push_back(step);
    if (!is_last(step, acquired)) {
      ahead.go_on(step, acquired);
      continue;
    }
    last_.push_back(step);
    for (const PointId target : program.conflicts.targets(step)) add_end(target);
  }
}

void Region::add_end(PointId point) {
  const auto at = std::lower_bound(ends_.begin(), ends_.end(), point);
  if (at == ends_.end() || *at != point) ends_.insert(at, point);
}

bool Region::contains(PointId step) const { return has(steps_, step); }
bool Region::is_last(PointId step) const { return has(last_, step); }

bool Rectangle::meets_behind(PointId a, PointId b) const {
  for (const PointId end : program_.conflicts.targets(a)) {
    for (const PointId other : program_.conflicts.targets(b)) {
      if (program_.meeting.can_meet(end, other)) return true;
    }
  }
  return false;
}

// Each of the two transactions can be taken when the other one is over.
bool Rectangle::is_feasible(const Reached& a, const Reached& b) const {
  const Meeting& meeting = program_.meeting;
  for (const PointId end : program_.conflicts.targets(a.step)) {
    for (const PointId other : program_.conflicts.targets(b.step)) {
      const bool meet = meeting.can_meet(end, other) && meeting.can_meet(end, second_.begin()) &&
                        meeting.can_meet(first_.begin(), other);
      if (meet && !exclude(meeting.held(end), b.acquired) &&
          !exclude(meeting.held(other), a.acquired)) {
        return true;
      }
    }
  }
  return false;
}

bool Rectangle::counts(Counts what, const Reached& a, const Reached& b) const {
  switch (what) {
    case Counts::feasible: return is_feasible(a, b);
    case Counts::meeting: return meets_behind(a.step, b.step);
    default: return true;
  }
}

void Rectangle::grow(Counts what) {
  const ThreadId first_thread = program_.flow[first_.begin()].thread;
  std::map<PointId, LockSet> acquired;  // by the first thread, on the way to each step
  if (what == Counts::feasible) {
    Region whole(first_.begin());
    whole.grow(program_, [&](PointId step, const LockSet& locks) {
      acquired.emplace(step, locks);
      return false;
    });
  }
  const auto locks_of = [&](PointId step) {
    const auto at = acquired.find(step);
    return at == acquired.end() ? LockSet() : at->second;
  };
  std::vector<Reached> last;
  second_.grow(program_, [&](PointId step, const LockSet& locks) {
    for (const PointId other : program_.conflicts.of(step, first_thread)) {
      if (!program_.order.reaches(first_.begin(), other)) continue;
      if (!counts(what, {other, locks_of(other)}, {step, locks})) continue;
      last.push_back({step, locks});
      return true;
    }
    return false;
  });
  first_.grow(program_, [&](PointId step, const LockSet& locks) {
    return std::any_of(last.begin(), last.end(), [&](const Reached& other) {
      return program_.conflicts.between(step, other.step) &&
             counts(what, {step, locks}, other);
    });
  });
}

bool Rectangle::is_harmless() const {
  return is_harmless(first_, second_) && is_harmless(second_, first_);
}

bool Rectangle::is_harmless(const Region& inner, const Region& outer) const {
  const ThreadId thread = program_.flow[outer.begin()].thread;
  for (const PointId step : inner.steps()) {
    if (inner.is_last(step)) continue;
    for (const PointId other : program_.conflicts.of(step, thread)) {
      if (outer.contains(other) && can_come_between(step, other, inner)) return false;
    }
  }
  return true;
}

bool Rectangle::can_come_between(PointId step, PointId other, const Region& region) const {
  const auto targets = program_.conflicts.targets(other);
  return std::any_of(region.steps().begin(), region.steps().end(), [&](PointId at) {
    if (at == step || !program_.order.reaches(step, at)) return false;
    if (!program_.meeting.can_meet(at, other)) return false;
    return std::any_of(targets.begin(), targets.end(),
                       [&](PointId end) { return program_.meeting.can_meet(at, end); });
  });
}

}  // namespace heddle::ranges
