#include "ranges/region.h"

#include <algorithm>
#include <functional>

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

}  // namespace

template <typename IsLast>
void Region::grow(const Program& program, const IsLast& is_last) {
  steps_.clear(), last_.clear(), ends_.clear();
  std::vector<PointId> open{begin_};  // a heap, lowest first
  while (!open.empty()) {
    std::pop_heap(open.begin(), open.end(), std::greater<>());
    const PointId step = open.back();
    open.pop_back();
    if (!steps_.empty() && steps_.back() == step) continue;
    if (program.flow.is_last(step) || has(ends_, step)) {
      add_end(step);
      continue;
    }
    steps_.push_back(step);
    if (!is_last(step)) {
      for (const PointId target : program.conflicts.targets(step)) {
        open.push_back(target);
        std::push_heap(open.begin(), open.end(), std::greater<>());
      }
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

const LockSet& LocksAhead::up_to(PointId step, PointId from) {
  std::map<PointId, LockSet>& ahead = known_[from];
  if (ahead.empty()) {
    ahead[from];
    for (auto at = ahead.begin(); at != ahead.end(); ++at) {
      add_all(at->second, program_.meeting.requested(at->first));
      for (const PointId target : program_.conflicts.targets(at->first)) {
        add_all(ahead[target], at->second);
      }
    }
  }
  return ahead[step];
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
bool Rectangle::is_feasible(PointId a, PointId b) const {
  const Meeting& meeting = program_.meeting;
  const LockSet& of_a = locks_.up_to(a, first_.begin());
  const LockSet& of_b = locks_.up_to(b, second_.begin());
  for (const PointId end : program_.conflicts.targets(a)) {
    for (const PointId other : program_.conflicts.targets(b)) {
      const bool meet = meeting.can_meet(end, other) && meeting.can_meet(end, second_.begin()) &&
                        meeting.can_meet(first_.begin(), other);
      if (meet && !exclude(meeting.held(end), of_b) && !exclude(meeting.held(other), of_a)) {
        return true;
      }
    }
  }
  return false;
}

bool Rectangle::counts(Counts what, PointId a, PointId b) const {
  switch (what) {
    case Counts::feasible: return is_feasible(a, b);
    case Counts::meeting: return meets_behind(a, b);
    default: return true;
  }
}

void Rectangle::grow(Counts what) {
  const ThreadId first_thread = program_.flow[first_.begin()].thread;
  second_.grow(program_, [&](PointId step) {
    const auto conflicts = program_.conflicts.of(step, first_thread);
    return std::any_of(conflicts.begin(), conflicts.end(), [&](PointId other) {
      return program_.order.reaches(first_.begin(), other) && counts(what, other, step);
    });
  });
  first_.grow(program_, [&](PointId step) {
    const auto& last = second_.last_steps();
    return std::any_of(last.begin(), last.end(), [&](PointId other) {
      return program_.conflicts.between(step, other) && counts(what, step, other);
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
