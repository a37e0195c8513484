#include "explore/estimate.h"

#include <algorithm>

namespace heddle {
namespace {

double ratio(std::uint64_t a, std::uint64_t b) {
  return static_cast<double>(a) / static_cast<double>(b);
}

}  // namespace

bool TraceEstimate::visit(const Execution& execution, std::uint64_t leaves) {
  std::size_t same = 0;
  const auto transition = [&](std::size_t i) {
    return execution.transition(static_cast<Execution::EventIndex>(i));
  };
  const std::size_t limit = std::min(path_.size(), execution.size());
  while (same < limit && path_[same].taken == transition(same)) ++same;
  finish_down_to(same);
  for (std::size_t i = path_.size(); i < execution.size(); ++i) path_.push_back({transition(i)});
  if (same < execution.size()) path_[same].taken = transition(same);
  if (depths_.size() < path_.size()) depths_.resize(path_.size());
  leaves_at_end_ = leaves;
  return true;
}

// The path leaves its child at that depth: everything below is finished.
void TraceEstimate::finish_down_to(std::size_t depth) {
  std::uint64_t below = leaves_at_end_;
  while (path_.size() > depth) {
    Node& node = path_.back();
    ++node.children;
    node.leaves += below;
    below = node.leaves;
    if (path_.size() == depth + 1) return;  // this one goes on with another child
    for (Depth* level : {&depths_[path_.size() - 1], &all_}) {
      ++level->nodes;
      level->children += node.children;
      level->leaves += node.leaves;
    }
    path_.pop_back();
  }
}

double TraceEstimate::total() const {
  auto below = static_cast<double>(leaves_at_end_);
  const double overall = all_.nodes > 0 ? ratio(all_.children, all_.nodes) : 1;
  for (std::size_t d = path_.size(); d-- > 0;) {
    const bool known = d + 1 < depths_.size() && depths_[d + 1].nodes > 0;
    const double child = known ? ratio(depths_[d + 1].leaves, depths_[d + 1].nodes) : below;
    const bool any = depths_[d].nodes > 0;
    const double usual = any ? ratio(depths_[d].children, depths_[d].nodes) : overall;
    const double missing = usual - static_cast<double>(path_[d].children) - 1;
    below += static_cast<double>(path_[d].leaves) + std::max(0.0, missing) * child;
  }
  return below;
}

void TraceEstimate::sample() {
  if (samples_.size() == kSamples) samples_.erase(samples_.begin());
  samples_.push_back(total());
}

std::optional<double> TraceEstimate::agreed() const {
  if (samples_.size() < kSamples) return std::nullopt;
  std::vector<double> sorted = samples_;
  std::sort(sorted.begin(), sorted.end());
  if (sorted.back() > kAgreement * sorted.front()) return std::nullopt;
  return sorted[kSamples / 2];
}

}  // namespace heddle
