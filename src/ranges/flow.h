// The threads' control flow without loops: what the paper's concurrent trace program is.
//
// Loops are unrolled: a point is a control state in a certain round of each loop around it,
// and points of a thread are numbered so that every edge leads to a higher number. On the
// way constants are propagated, as intervals of the thread's own variables and of shared ones
// that nobody writes, so that a decided branch has one edge, a counted loop as many rounds as
// it has, and a[i] in one of them means one element.
//
// A loop whose end is not decided so is followed for `unroll` rounds; what would come next is
// a point that is marked `cut`. Ranges hold for all executions that reach no such point.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "ranges/environment.h"

namespace heddle::ranges {

using PointId = Index<struct PointTag>;

struct Point {
  ThreadId thread{};
  model::StateId state{};
  std::uint32_t first_edge = 0;
  std::uint32_t edge_count = 0;
  bool stops = true;  // others may run here; false inside a step
  bool cut = false;
  bool begins = false;  // nothing of the thread has happened that others could see
};

struct Edge {
  PointId target{};
  model::TransitionId transition{};
};

struct PointRange {
  PointId first{};
  PointId end{};
  bool contains(PointId point) const { return first <= point && point < end; }
};

class Flow {
 public:
  static Result<Flow> make(const model::Model& model, std::uint32_t unroll);

  const model::Model& model() const { return *model_; }
  std::size_t size() const { return points_.size(); }
  std::size_t edge_total() const { return edges_.size(); }
  const Point& operator[](PointId point) const { return points_[point]; }
  std::span<const Edge> edges(PointId point) const {
    return {edges_.data() + points_[point].first_edge, points_[point].edge_count};
  }
  std::uint32_t edge_index(const Edge& edge) const {
    return static_cast<std::uint32_t>(&edge - edges_.data());
  }
  const model::Transition& transition(const Edge& edge) const {
    return model_->transitions[edge.transition];
  }
  PointRange points_of(ThreadId thread) const { return ranges_[thread]; }
  PointId first(ThreadId thread) const { return ranges_[thread].first; }
  // What constant propagation knows at the point.
  const Environment& constants(PointId point) const { return constants_[point]; }
  bool is_last(PointId point) const { return points_[point].edge_count == 0; }
  bool has_cuts() const { return has_cuts_; }
  // Control states that threads pass before anything happens, with what holds there.
  const std::vector<std::pair<model::StateId, Environment>>& beginnings() const {
    return beginnings_;
  }

 private:
  friend class Unroller;
  explicit Flow(const model::Model& model) : model_(&model), ranges_(model.threads.size()) {}

  const model::Model* model_;
  Table<PointId, Point> points_;
  std::vector<Edge> edges_;
  Table<ThreadId, PointRange> ranges_;
  Table<PointId, Environment> constants_;
  std::vector<std::pair<model::StateId, Environment>> beginnings_;
  bool has_cuts_ = false;
};

}  // namespace heddle::ranges
