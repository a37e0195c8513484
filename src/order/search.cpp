#include "order/search.h"

#include <algorithm>

namespace heddle::order {

Search::Search(const Facts& facts, const Saturation& saturation, Goal goal, Memory* memory)
    : facts_(facts),
      saturation_(saturation),
      goal_(std::move(goal)),
      memory_(memory != nullptr ? *memory : nothing_),
      machine_(facts),
      waits_(facts.thread_count()) {}

Search::Search(const Facts& facts, const Saturation& saturation, Goal goal, Machine start,
               EventId first, Memory* memory)
    : facts_(facts),
      saturation_(saturation),
      goal_(std::move(goal)),
      memory_(memory != nullptr ? *memory : nothing_),
      machine_(std::move(start)),
      first_(first),
      waits_(facts.thread_count()) {}

Answer Search::run(std::uint64_t budget) {
  budget_ = budget + straight_run();
  if (explore()) return Answer::yes;
  return steps_ > budget_ || first_.value() > 0 ? Answer::undecided : Answer::no;
}

// So many steps lead from the start to all that has to be in.
std::uint64_t Search::straight_run() const {
  std::uint64_t steps = 0;
  for (ThreadId t : indices<ThreadId>(facts_.thread_count())) {
    const std::uint32_t done = machine_.done(t);
    steps += saturation_.count(t) > done ? saturation_.count(t) - done : 0;
  }
  return steps;
}

std::vector<EventId> Search::sequence() const {
  std::vector<EventId> result;
  for (EventId e : indices<EventId>(first_.value())) result.push_back(e);
  const std::vector<EventId> rest = machine_.sequence();
  result.insert(result.end(), rest.begin(), rest.end());
  return result;
}

bool Search::reached() {
  for (ThreadId t : indices<ThreadId>(facts_.thread_count())) {
    if (machine_.done(t) < saturation_.count(t)) return false;
  }
  return goal_(machine_);
}

// Goes down as long as there is a way, then back to the last state with another one.
bool Search::explore() {
  while (true) {
    if (reached()) return true;
    if (!advance()) {
      while (!alternatives_.empty() && alternatives_.back().empty()) leave();
      if (alternatives_.empty()) return false;
      const EventId next = alternatives_.back().back();
      std::vector<EventId> rest = std::move(alternatives_.back());
      rest.pop_back();
      leave();
      enter(next);
      alternatives_.back() = std::move(rest);
    }
    if (steps_ > budget_) return false;
  }
}

// Takes the first step from a state that has not been seen yet.
bool Search::advance() {
  if (memory_.is_hopeless(machine_)) return false;
  find_candidates();
  if (candidates_.empty()) return false;
  // Where there is but one way, it is enough to remember the state that it leads to.
  if (candidates_.size() > 1) {
    const Machine::Hash state = machine_.hash();
    const Machine::Hash past = memory_.hash();
    if (!dead_.insert({state.first ^ past.first, state.second ^ past.second}).second) return false;
  }
  std::vector<EventId> rest;
  for (std::size_t i = candidates_.size(); i-- > 1;) rest.push_back(candidates_[i].event);
  enter(candidates_[0].event);
  alternatives_.back() = std::move(rest);
  return true;
}

void Search::enter(EventId e) {
  ++steps_;
  memory_.step(machine_, e);
  machine_.step(e);
  alternatives_.emplace_back();
}

void Search::leave() {
  for (Wait& wait : waits_) wait.index = kNever;
  machine_.take_back();
  memory_.take_back();
  alternatives_.pop_back();
}

// In the order in which they are to be tried.
void Search::find_candidates() {
  candidates_.clear();
  for (ThreadId t : indices<ThreadId>(facts_.thread_count())) {
    const std::uint32_t done = machine_.done(t);
    if (done >= saturation_.limit(t)) continue;
    const EventId e = facts_.event({t, done});
    if (may_step(e)) candidates_.push_back({e, done < saturation_.count(t)});
  }
  std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
    return a.included != b.included ? a.included : a.event < b.event;
  });
  for (const Candidate& candidate : candidates_) {
    if (!candidate.included && candidates_.front().included) return;
    if (!only_helps(candidate.event)) continue;
    candidates_ = {candidate};
    return;
  }
}

bool Search::may_step(EventId e) {
  return order_allows(facts_.node(e)) && machine_.can_happen(e) &&
         !(writes(trace().kind(e)) && spoils_a_version(e));
}

// The first thread that the event has to wait for is remembered, so that it is looked at again
// only when that one is far enough. Going back makes an event wait again, so leave() forgets.
bool Search::order_allows(Node node) {
  Wait& wait = waits_[node.thread.value()];
  if (wait.index == node.index) {
    if (!wait.other.valid()) return true;
    if (machine_.done(wait.other) < wait.count) return false;
  }
  wait = {node.index, ThreadId::none(), 0};
  for (ThreadId t : indices<ThreadId>(facts_.thread_count())) {
    const std::uint32_t count = saturation_.order().before(node, t);
    if (count <= machine_.done(t)) continue;
    wait = {node.index, t, count};
    return false;
  }
  return true;
}

bool Search::spoils_a_version(EventId write) const {
  for (CellId cell : facts_.cells(write)) {
    const VersionId version = machine_.last_version(cell);
    const auto& last = saturation_.last_versions();
    if (std::find(last.begin(), last.end(), version) != last.end()) return true;
    if (is_read_later(version, facts_.node(write))) return true;
  }
  return false;
}

bool Search::is_read_later(VersionId version, Node by_other_than) const {
  for (const auto& row : facts_.readers().rows(version)) {
    const auto items = facts_.readers().items(row);
    const auto* last = last_below(items, saturation_.count(row.thread));
    if (last == nullptr || last->index < machine_.done(row.thread)) continue;
    if (Node{row.thread, last->index} != by_other_than) return true;
  }
  return false;
}

// Whether nothing that can follow the state cannot follow the event as well.
bool Search::only_helps(EventId e) const {
  if (!memory_.is_neutral(e)) return false;
  switch (trace().kind(e)) {
    case EventKind::read:
    case EventKind::atomic_read:
    case EventKind::fence:
    case EventKind::request:
    case EventKind::fork:
    case EventKind::join:
    case EventKind::begin:
    case EventKind::end:
    case EventKind::branch:
    case EventKind::io:
    case EventKind::alloc:
    case EventKind::barrier_leave:
    case EventKind::once_end:
    case EventKind::once_pass: return true;
    case EventKind::release:
    case EventKind::reader_release: return !facts_.fails(trace().lock(e));
    case EventKind::semaphore_post: return !facts_.fails(trace().semaphore(e));
    default: return false;
  }
}

}  // namespace heddle::order
