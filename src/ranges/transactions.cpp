#include "ranges/transactions.h"

#include <algorithm>

namespace heddle::ranges {
namespace {

// Every thread's first point, and the points behind which nothing comes.
Boundaries outer_boundaries(const Program& program) {
  Boundaries made(program.flow.size(), false);
  for (const PointId point : indices(made)) {
    made[point] = program.flow[point].stops && program.flow.is_last(point);
  }
  for (const ThreadId thread : indices(program.model().threads)) {
    made[program.flow.first(thread)] = true;
  }
  return made;
}

class Splitter {
 public:
  Splitter(const Program& program, Boundaries& boundaries, const Boundaries* where)
      : program_(program), boundaries_(boundaries), where_(where) {}

  void run() {
    for (const PointId step : indices<PointId>(program_.flow.size())) {
      if (program_.flow[step].stops && is_harmful(step)) end_behind(step);
    }
  }

 private:
  void end_behind(PointId step) {
    for (const PointId target : program_.conflicts.targets(step)) {
      if (boundaries_[target]) continue;
      if (where_ == nullptr || (*where_)[target]) {
        boundaries_[target] = true;
      } else {
        end_behind(target);
      }
    }
  }

  bool is_harmful(PointId step) const {
    const auto conflicts = program_.conflicts.of(step);
    if (conflicts.empty()) return false;
    const std::vector<PointId> inside = points_inside(step);
    return std::any_of(inside.begin(), inside.end(), [&](PointId at) {
      return std::any_of(conflicts.begin(), conflicts.end(),
                         [&](PointId other) { return can_happen_at(at, other); });
    });
  }

  // Where the thread may stand behind the step before its transaction is over.
  std::vector<PointId> points_inside(PointId step) const {
    std::vector<PointId> inside, open{step};
    while (!open.empty()) {
      const PointId from = open.back();
      open.pop_back();
      for (const PointId target : program_.conflicts.targets(from)) {
        if (boundaries_[target]) continue;
        if (std::find(inside.begin(), inside.end(), target) != inside.end()) continue;
        inside.push_back(target);
        open.push_back(target);
      }
    }
    return inside;
  }

  bool can_happen_at(PointId at, PointId step) const {
    const auto targets = program_.conflicts.targets(step);
    return program_.meeting.can_meet(at, step) &&
           std::any_of(targets.begin(), targets.end(),
                       [&](PointId end) { return program_.meeting.can_meet(at, end); });
  }

  const Program& program_;
  Boundaries& boundaries_;
  const Boundaries* where_;
};

}  // namespace

Boundaries access_boundaries(const Program& program) {
  Boundaries made = outer_boundaries(program);
  for (const PointId point : indices(made)) {
    if (!program.flow[point].stops || !program.conflicts.is_visible(point)) continue;
    for (const PointId target : program.conflicts.targets(point)) made[target] = true;
  }
  return made;
}

Boundaries mat_boundaries(const Program& program, const std::vector<Mat>& mats) {
  Boundaries made = outer_boundaries(program);
  for (const Mat& mat : mats) {
    made[mat.first_begin] = made[mat.second_begin] = true;
    for (const PointId end : mat.first_ends) made[end] = true;
    for (const PointId end : mat.second_ends) made[end] = true;
  }
  return made;
}

void split(const Program& program, Boundaries& boundaries, const Boundaries* where) {
  Splitter(program, boundaries, where).run();
}

}  // namespace heddle::ranges
