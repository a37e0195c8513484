// A rectangle of two transactions, grown from where two threads stand.
//
// Each transaction is a region of its thread: the steps from its beginning up to, on each way,
// the first step that is `last`. The second region ends at steps that conflict with something
// ahead in the first thread; the first region ends at steps that conflict with those.
#pragma once

#include <map>
#include <vector>

#include "ranges/program.h"

namespace heddle::ranges {

class Region {
 public:
  explicit Region(PointId begin) : begin_(begin) {}

  // Takes steps in order, up to those of which is_last(step) says so.
  template <typename IsLast>
  void grow(const Program& program, const IsLast& is_last);

  PointId begin() const { return begin_; }
  const std::vector<PointId>& ends() const { return ends_; }
  const std::vector<PointId>& steps() const { return steps_; }
  const std::vector<PointId>& last_steps() const { return last_; }
  bool contains(PointId step) const;
  bool is_last(PointId step) const;

 private:
  void add_end(PointId point);

  PointId begin_;
  std::vector<PointId> steps_;  // sorted
  std::vector<PointId> last_;   // of them, sorted
  std::vector<PointId> ends_;   // sorted
};

// For each step ahead of a point, the locks that are taken on the way up to it and by it.
// Made when asked for, once for each point.
class LocksAhead {
 public:
  explicit LocksAhead(const Program& program) : program_(program) {}
  const LockSet& up_to(PointId step, PointId from);

 private:
  const Program& program_;
  std::map<PointId, std::map<PointId, LockSet>> known_;
};

class Rectangle {
 public:
  Rectangle(const Program& program, LocksAhead& locks, PointId f, PointId g)
      : program_(program), locks_(locks), first_(f), second_(g) {}

  enum class Counts : std::uint8_t { feasible, meeting, all };  // which conflicts count
  void grow(Counts what);
  // Whether no step of one thread can come between a step of the other's transaction that it
  // conflicts with and that transaction's last step.
  bool is_harmless() const;

  const Region& first() const { return first_; }
  const Region& second() const { return second_; }

 private:
  bool counts(Counts what, PointId a, PointId b) const;
  bool meets_behind(PointId a, PointId b) const;
  bool is_feasible(PointId a, PointId b) const;
  bool is_harmless(const Region& inner, const Region& outer) const;
  bool can_come_between(PointId step, PointId other, const Region& region) const;

  const Program& program_;
  LocksAhead& locks_;
  Region first_;
  Region second_;
};

}  // namespace heddle::ranges
