#include "ranges/mats.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <set>

#include "ranges/region.h"

namespace heddle::ranges {
namespace {

using Counts = Rectangle::Counts;
using Pair = std::pair<PointId, PointId>;

class PairSearch {
 public:
  PairSearch(const Program& program, ThreadId first, ThreadId second, const MatOptions& options)
      : program_(program), first_(first), second_(second), options_(options), locks_(program) {}

  std::vector<Mat> run() {
    push(program_.flow.first(first_), program_.flow.first(second_));
    while (!queue_.empty()) {
      const auto [f, g] = queue_.front();
      queue_.pop_front();
      if (const std::optional<Mat> mat = select(f, g)) take(*mat);
    }
    return std::move(found_);
  }

  // The search of GenMAT, whose switches GenMAT' must not leave.
  void stay_within(const PairSearch& wider, const std::vector<Mat>& mats) {
    wider_ = &wider;
    allowed_ = switches_of(mats);
  }

 private:
  bool can_begin(PointId f, PointId g) const {
    const bool over = program_.flow.is_last(f) || program_.flow.is_last(g);
    return !over && program_.meeting.can_meet(f, g);
  }

  void push(PointId f, PointId g) {
    if (can_begin(f, g) && seen_.emplace(f, g).second) queue_.emplace_back(f, g);
  }

  void take(const Mat& mat) {
    for (const PointId end : mat.first_ends) push(end, mat.second_begin);
    for (const PointId end : mat.second_ends) push(mat.first_begin, end);
    for (const PointId end : mat.first_ends) {
      for (const PointId other : mat.second_ends) push(end, other);
    }
    found_.push_back(mat);
  }

  std::optional<Mat> select(PointId f, PointId g) const {
    const bool feasible = options_.rule == MatRule::feasible;
    const Mat mat = grown(f, g, feasible ? Counts::feasible : Counts::meeting);
    if (wider_ == nullptr) return mat;
    const bool needed = wider_->seen_.contains({f, g});
    const bool stays = allows(mat) && (!needed || has_side_corners(mat));
    if (stays) return mat;
    return needed ? std::optional(grown(f, g, Counts::meeting)) : std::nullopt;
  }

  Mat grown(PointId f, PointId g, Counts counts) const {
    Rectangle rectangle(program_, locks_, f, g);
    rectangle.grow(counts);
    if (!options_.as_published) {
      if (counts == Counts::feasible && !rectangle.is_harmless()) rectangle.grow(Counts::meeting);
      if (!rectangle.is_harmless()) rectangle.grow(Counts::all);
    }
    return {f, rectangle.first().ends(), g, rectangle.second().ends()};
  }

  bool allows(const Mat& mat) const {
    const Switches switches = switches_of({mat});
    return std::includes(allowed_.begin(), allowed_.end(), switches.begin(), switches.end());
  }

  // The two corners to which executions go from here are pairs that GenMAT comes to.
  bool has_side_corners(const Mat& mat) const {
    const auto known = [&](PointId f, PointId g) {
      return !can_begin(f, g) || wider_->seen_.contains({f, g});
    };
    return std::all_of(mat.first_ends.begin(), mat.first_ends.end(),
                       [&](PointId end) { return known(end, mat.second_begin); }) &&
           std::all_of(mat.second_ends.begin(), mat.second_ends.end(),
                       [&](PointId end) { return known(mat.first_begin, end); });
  }

  const Program& program_;
  ThreadId first_;
  ThreadId second_;
  const MatOptions& options_;
  mutable LocksAhead locks_;
  const PairSearch* wider_ = nullptr;
  Switches allowed_;
  std::deque<Pair> queue_;
  std::set<Pair> seen_;
  std::vector<Mat> found_;
};

}  // namespace

std::vector<Mat> find_mats(const Program& program, ThreadId first, ThreadId second,
                           const MatOptions& options) {
  PairSearch search(program, first, second, options);
  if (options.rule == MatRule::any || options.as_published) return search.run();
  const MatOptions any{.rule = MatRule::any};
  PairSearch wider(program, first, second, any);
  search.stay_within(wider, wider.run());
  return search.run();
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

Switches switches_of(const std::vector<Mat>& mats) {
  Switches made;
  for (const Mat& mat : mats) {
    for (const PointId end : mat.first_ends) made.push_back({end, mat.second_begin});
    for (const PointId end : mat.second_ends) made.push_back({end, mat.first_begin});
  }
  std::sort(made.begin(), made.end());
  made.erase(std::unique(made.begin(), made.end()), made.end());
  return made;
}

}  // namespace heddle::ranges
