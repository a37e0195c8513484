#include "explore/estimate.h"

#include <algorithm>

namespace heddle {
bool TraceEstimate::visit(const Execution& execution, std::uint64_t leaves) {
  std::size_t same = 0;
  const auto transition = [&](std::size_t i) {
    return execution.transition(static_cast<Execution::EventIndex>(i));
  };
  const std::size_t limit = std::min(path_.size(), execution.size());
  while (same < limit && path_[same].taken == transition(same)) ++same;
  finish_down_to(same);
  for (std::size_t i = path_.size(); i < execution.size(); ++i) path_.push_back({transition(i)});
  if (same < execution.size()) {
    Node& node = path_[same];
    node.taken = transition(same);
    node.has_further = node.children > 0;
  }
  leaves_at_end_ = leaves;
  return true;
}

// The path leaves its child at that depth: everything below is finished.
void TraceEstimate::finish_down_to(std::size_t depth) {
  std::uint64_t below = leaves_at_end_;
  while (path_.size() > depth) {
    Node& node = path_.back();
    if (++node.children == 1) node.first_leaves = below;
    node.leaves += below;
    below = node.leaves;
    if (path_.size() == depth + 1) return;  // this one goes on with another child
    learn_from(node);
    path_.pop_back();
  }
}

void TraceEstimate::learn_from(const Node& node) {
  if (!node.has_further) return;
  const auto first_leaves = static_cast<double>(node.first_leaves);
  Finished& alike = finished_[class_of(first_leaves)];
  alike.first_leaves += first_leaves;
  alike.leaves += static_cast<double>(node.leaves);
}

double TraceEstimate::grown(double first_leaves) const {
  constexpr double kMost = 1e18;  // that many are not worth counting
  for (std::size_t i = class_of(std::min(first_leaves, kMost)) + 1; i-- > 0;) {
    const Finished& alike = finished_[i];
    if (alike.first_leaves > 0) return first_leaves * alike.leaves / alike.first_leaves;
  }
  return 2 * first_leaves;
}

double TraceEstimate::total() const {
  auto leaves = static_cast<double>(leaves_at_end_);
  for (std::size_t d = path_.size(); d-- > 0;) {
    const Node& node = path_[d];
    const auto finished = static_cast<double>(node.leaves);
    if (node.children > 0) {
      leaves = std::max(finished + leaves, grown(static_cast<double>(node.first_leaves)));
    } else if (explorer_ != nullptr && explorer_->has_children_left(d)) {
      leaves = grown(leaves);
    }
  }
  return leaves;
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
