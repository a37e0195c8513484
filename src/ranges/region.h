// A rectangle of two transactions, grown from where two threads stand.
//
// Each transaction is a region of its thread: the steps from its beginning up to, on each way,
// the first step that is `last`. The second region ends at steps that conflict with something
// ahead in the first thread; the first region ends at steps that conflict with those.
#pragma once

#include <vector>

#include "ranges/program.h"

namespace heddle::ranges {

class Region {
 public:
  explicit Region(PointId begin) : begin_(begin) {}

  // Takes steps in order; is_last(step, locks acquired on the way up to and with it).
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

class Rectangle {
 public:
  Rectangle(const Program& program, PointId f, PointId g)
      : program_(program), first_(f), second_(g) {}

  enum class Counts : std::uint8_t { feasible, meeting, all };  // which conflicts count
  void grow(Counts counts);
  // Whether no step of one thread can come between a step of the other's transaction that it
  // conflicts with and that transaction's last step.
  bool is_harmless() const;

  const Region& first() const { return first_; }
  const Region& second() const { return second_; }

 private:
  struct Reached {  // a step ahead, and the locks that are taken on the way up to it and by it
    PointId step{};
    LockSet acquired;
  };
  bool counts(Counts what, const Reached& a, const Reached& b) const;
  bool meets_behind(PointId a, PointId b) const;
  bool is_feasible(const Reached& a, const Reached& b) const;
  bool is_harmless(const Region& inner, const Region& outer) const;
  bool can_come_between(PointId step, PointId other, const Region& region) const;

  const Program& program_;
  Region first_;
  Region second_;
};

}  // namespace heddle::ranges
