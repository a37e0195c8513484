#include "order/fork_join.h"

#include <algorithm>

namespace heddle::order {

ForkJoin::ForkJoin(const Facts& facts)
    : facts_(facts), clocks_(facts.thread_count()), steps_(facts.thread_count()) {
  const Trace& trace = facts.trace();
  for (EventId e : trace.events()) {
    if (trace.kind(e) == EventKind::fork) fork(facts.node(e), trace.other_thread(e));
    if (trace.kind(e) == EventKind::join) join(facts.node(e), trace.other_thread(e));
  }
}

ClockId ForkJoin::last(ThreadId thread) const {
  return steps_[thread].empty() ? Clocks::zero() : steps_[thread].back().clock;
}

void ForkJoin::fork(Node at, ThreadId child) {
  steps_[child].push_back({0, clocks_.with(last(at.thread), at.thread, at.index + 1)});
}

void ForkJoin::join(Node at, ThreadId child) {
  const ClockId both = clocks_.join(last(at.thread), last(child));
  steps_[at.thread].push_back({at.index, clocks_.with(both, child, facts_.length(child))});
}

std::uint32_t ForkJoin::before(Node node, ThreadId other) const {
  const std::vector<Step>& steps = steps_[node.thread];
  const auto after = std::upper_bound(steps.begin(), steps.end(), node.index,
                                      [](std::uint32_t i, const Step& s) { return i < s.index; });
  return after == steps.begin() ? 0 : clocks_.component((after - 1)->clock, other);
}

bool ForkJoin::precedes(EventId a, EventId b) const {
  const Node first = facts_.node(a);
  const Node second = facts_.node(b);
  if (first.thread == second.thread) return first.index < second.index;
  return before(second, first.thread) > first.index;
}

}  // namespace heddle::order
