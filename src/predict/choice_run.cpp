#include "predict/choice_run.h"

#include <algorithm>

namespace heddle::predict {

using order::Node;

namespace {

// How many of a thread's events stand before this one in the trace.
std::uint32_t count_before(std::span<const EventId> events, EventId e) {
  return static_cast<std::uint32_t>(std::lower_bound(events.begin(), events.end(), e) -
                                    events.begin());
}

}  // namespace

ChoiceRun::ChoiceRun(const order::Facts& facts, const order::ChainOrder& order,
                     std::span<const std::uint32_t> lengths, Extent turned)
    : order_(order), chains_(lengths.size()) {
  for (ThreadId t : indices<ThreadId>(lengths.size())) {
    const std::span<const EventId> events = facts.derived().order.events_of(t);
    chain(t).done = std::min(count_before(events, turned.first), lengths[t.value()]);
    chain(t).end = std::min(count_before(events, turned.last.next()), lengths[t.value()]);
  }
}

void ChoiceRun::add(const std::pair<Node, Node>& edge) {
  const auto& [before, after] = edge;
  Chain& to = chain(after.thread);
  if (after.index < to.done || after.index >= to.end) return;
  if (before.index >= chain(before.thread).done) to.edges.emplace_back(after.index, before);
}

bool ChoiceRun::ends() {
  std::vector<ThreadId> todo;
  for (ThreadId t : indices<ThreadId>(chains_.size())) todo.push_back(t);
  while (!todo.empty()) {
    const ThreadId thread = todo.back();
    todo.pop_back();
    advance(thread);
    for (ThreadId t : indices<ThreadId>(chains_.size())) {
      Wait& wait = chain(t).wait;
      if (wait.other != thread || chain(thread).done < wait.count) continue;
      wait.other = ThreadId::none();
      todo.push_back(t);
    }
  }
  return std::all_of(chains_.begin(), chains_.end(),
                     [](const Chain& chain) { return chain.done >= chain.end; });
}

void ChoiceRun::advance(ThreadId thread) {
  std::uint32_t limit = chain(thread).end;
  if (chain(thread).done >= limit) return;
  heed_order(thread, limit);
  heed_edges(thread, limit);
  chain(thread).done = limit;
}

// The first event that one that has not come yet of another thread precedes.
void ChoiceRun::heed_order(ThreadId thread, std::uint32_t& limit) {
  for (ThreadId other : indices<ThreadId>(chains_.size())) {
    if (other == thread || chain(other).done >= chain(other).end) continue;
    const std::uint32_t after = order_.after({other, chain(other).done}, thread);
    if (after >= limit) continue;
    limit = after;
    chain(thread).wait = {other, order_.before({thread, after}, other)};
  }
}

void ChoiceRun::heed_edges(ThreadId thread, std::uint32_t& limit) {
  Chain& own = chain(thread);
  for (; own.next_edge < own.edges.size(); ++own.next_edge) {
    const auto& [index, before] = own.edges[own.next_edge];
    if (index >= limit) return;
    if (before.index < chain(before.thread).done) continue;
    limit = index;
    own.wait = {before.thread, before.index + 1};
    return;
  }
}

}  // namespace heddle::predict
