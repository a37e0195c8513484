#include "ranges/mats.h"

#include <algorithm>
#include <deque>
#include <set>

#include "ranges/region.h"

namespace heddle::ranges {
namespace {

class PairSearch {
 public:
  PairSearch(const Program& program, ThreadId first, ThreadId second, const MatOptions& options)
      : program_(program), first_(first), second_(second), options_(options) {}

  std::vector<Mat> run() {
    push(program_.flow.first(first_), program_.flow.first(second_));
    while (!queue_.empty()) {
      const auto [f, g] = queue_.front();
      queue_.pop_front();
      const Mat mat = select(f, g);
      for (const PointId end : mat.first_ends) push(end, g);
      for (const PointId end : mat.second_ends) push(f, end);
      for (const PointId end : mat.first_ends) {
        for (const PointId other : mat.second_ends) push(end, other);
      }
      found_.push_back(mat);
    }
    return std::move(found_);
  }

 private:
  void push(PointId f, PointId g) {
    const bool over = program_.flow.is_last(f) || program_.flow.is_last(g);
    if (over || !program_.meeting.can_meet(f, g)) return;
    if (seen_.emplace(f, g).second) queue_.emplace_back(f, g);
  }

  Mat select(PointId f, PointId g) const {
    using Counts = Rectangle::Counts;
    const bool feasible = options_.rule == MatRule::feasible;
    Rectangle rectangle(program_, f, g);
    rectangle.grow(feasible ? Counts::feasible : Counts::meeting);
    if (!options_.as_published) {
      if (feasible && !rectangle.is_harmless()) rectangle.grow(Counts::meeting);
      if (!rectangle.is_harmless()) rectangle.grow(Counts::all);
    }
    return {f, rectangle.first().ends(), g, rectangle.second().ends()};
  }

  const Program& program_;
  ThreadId first_;
  ThreadId second_;
  const MatOptions& options_;
  std::deque<std::pair<PointId, PointId>> queue_;
  std::set<std::pair<PointId, PointId>> seen_;
  std::vector<Mat> found_;
};

}  // namespace

std::vector<Mat> find_mats(const Program& program, ThreadId first, ThreadId second,
                           const MatOptions& options) {
  return PairSearch(program, first, second, options).run();
}

std::vector<Mat> find_mats(const Program& program, const MatOptions& options) {
  std::vector<Mat> all;
  const std::size_t count = program.model().threads.size();
  for (const ThreadId first : indices<ThreadId>(count)) {
    for (ThreadId second = first.next(); second.value() < count; ++second) {
      std::vector<Mat> mats = find_mats(program, first, second, options);
      std::move(mats.begin(), mats.end(), std::back_inserter(all));
    }
  }
  return all;
}

std::vector<ContextSwitch> switches_of(const std::vector<Mat>& mats) {
  std::vector<ContextSwitch> made;
  for (const Mat& mat : mats) {
    for (const PointId end : mat.first_ends) made.push_back({end, mat.second_begin});
    for (const PointId end : mat.second_ends) made.push_back({end, mat.first_begin});
  }
  std::sort(made.begin(), made.end());
  made.erase(std::unique(made.begin(), made.end()), made.end());
  return made;
}

}  // namespace heddle::ranges
