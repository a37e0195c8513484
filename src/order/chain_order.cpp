#include "order/chain_order.h"

#include <algorithm>

namespace heddle::order {

ChainOrder::ChainOrder(std::vector<std::uint32_t> lengths)
    : lengths_(std::move(lengths)),
      stairs_(lengths_.size() * lengths_.size()),
      before_(lengths_.size()),
      after_(lengths_.size()) {}

std::uint32_t ChainOrder::before(Node node, ThreadId chain) const {
  if (chain == node.thread) return node.index;
  const Stairs& steps = stairs(node.thread, chain);
  const auto above = std::upper_bound(steps.begin(), steps.end(), node.index,
                                      [](std::uint32_t i, const Step& s) { return i < s.index; });
  return above == steps.begin() ? 0 : (above - 1)->count;
}

std::uint32_t ChainOrder::after(Node node, ThreadId chain) const {
  if (chain == node.thread) {
    return node.index + 1 < lengths_[chain.value()] ? node.index + 1 : kNever;
  }
  const Stairs& steps = stairs(chain, node.thread);
  const auto found = std::upper_bound(steps.begin(), steps.end(), node.index,
                                      [](std::uint32_t i, const Step& s) { return i < s.count; });
  return found == steps.end() ? kNever : found->index;
}

bool ChainOrder::add(Node a, Node b, std::vector<Change>& changes) {
  if (a == b || precedes(b, a)) return false;
  if (precedes(a, b)) return true;
  const auto chains = indices<ThreadId>(lengths_.size());
  for (ThreadId c : chains) {
    before_[c.value()] = c == a.thread ? a.index + 1 : before(a, c);
    after_[c.value()] = c == b.thread ? b.index : after(b, c);
  }
  for (ThreadId to : chains) {
    if (after_[to.value()] == kNever) continue;
    for (ThreadId from : chains) {
      if (from == to || before_[from.value()] == 0) continue;
      insert(to, after_[to.value()], from, before_[from.value()], changes);
    }
  }
  return true;
}

void ChainOrder::insert(ThreadId to, std::uint32_t index, ThreadId from, std::uint32_t count,
                        std::vector<Change>& changes) {
  Stairs& steps = stairs(to, from);
  auto at = std::lower_bound(steps.begin(), steps.end(), index,
                             [](const Step& s, std::uint32_t i) { return s.index < i; });
  if (at != steps.begin() && (at - 1)->count >= count) return;
  if (at != steps.end() && at->index == index && at->count >= count) return;
  const auto number = static_cast<std::uint32_t>(&steps - stairs_.data());
  const auto position = static_cast<std::uint32_t>(at - steps.begin());
  auto last = at;
  while (last != steps.end() && last->count <= count) {
    trail_.push_back({number, position, false, *last});
    ++last;
  }
  const std::uint32_t until = last == steps.end() ? kNever : last->index;
  trail_.push_back({number, position, true, {index, count}});
  if (last != at) {
    *at = {index, count};
    steps.erase(at + 1, last);
  } else {
    steps.insert(at, {index, count});
  }
  changes.push_back({from, count, to, index, until});
}

void ChainOrder::append_step(ThreadId to, std::uint32_t index, ThreadId from, std::uint32_t count) {
  Stairs& steps = stairs(to, from);
  if (steps.empty() || steps.back().count < count) steps.push_back({index, count});
}

void ChainOrder::undo(Mark mark) {
  while (trail_.size() > mark) {
    const Undo& change = trail_.back();
    Stairs& steps = stairs_[change.stairs];
    const auto at = steps.begin() + change.position;
    if (change.inserted) {
      steps.erase(at);
    } else {
      steps.insert(at, change.step);
    }
    trail_.pop_back();
  }
}

}  // namespace heddle::order
