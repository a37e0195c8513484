#include <algorithm>

#include "explore/explorer.h"
#include "explore/reversal.h"

namespace heddle {

Walker::Walker(System& system, ExplorationListener& listener, ExploreCounters& counters,
               const ExploreOptions& options)
    : system_(system),
      listener_(listener),
      counters_(counters),
      max_steps_(options.max_steps),
      execution_(system.thread_count(), system.object_count(), options.memory) {}

bool Walker::at_end() {
  const bool may_go_on = execution_.size() < max_steps_;
  ends_with_ = 0;
  for (ThreadId thread : indices<ThreadId>(system_.thread_count())) {
    const Readiness readiness = system_.readiness(thread);
    if (readiness == Readiness::ready && may_go_on) {
      first_ready_ = thread;
      return false;
    }
    ends_with_ |= bit_of(readiness);
  }
  return true;
}

ThreadId Walker::end_of_threads() const {
  return ThreadId(static_cast<std::uint32_t>(system_.thread_count()));
}

// Whether a thread spins only because it was stopped too early: what it waits for came.
bool Walker::spins_in_vain() const {
  if (!ends_with(Readiness::spinning)) return false;
  const auto threads = indices<ThreadId>(system_.thread_count());
  return std::any_of(threads.begin(), threads.end(), [&](ThreadId thread) {
    return system_.readiness(thread) == Readiness::spinning && !system_.spins_for_ever(thread);
  });
}

void Walker::step(Transition transition) {
  operation_.clear();
  system_.next_operation(transition.thread, operation_);
  step(transition, operation_.accesses, 0);
}

void Walker::step(Transition transition, std::span<const Access> accesses, std::uint32_t section) {
  const Failure failure = system_.step(transition.thread, transition.choice);
  ++counters_.transitions;
  push(transition, accesses, section);
  if (failure == Failure::none) return;
  if (failure == Failure::assumption) {
    assumption_failed_at_ = std::min(assumption_failed_at_, execution_.size());
  } else if (!listener_.on_failure(execution_, failure)) {
    stopped_ = true;
  }
}

void Walker::push(Transition transition, std::span<const Access> accesses, std::uint32_t section) {
  const std::span<const Access> effects = system_.effects();
  if (effects.empty()) return execution_.push(transition, accesses, section);
  with_effects_.assign(accesses.begin(), accesses.end());
  with_effects_.insert(with_effects_.end(), effects.begin(), effects.end());
  execution_.push(transition, with_effects_, section);
}

void Walker::rewind(std::size_t depth) {
  system_.rewind(depth);
  execution_.pop_to(depth);
  if (assumption_failed_at_ > depth) assumption_failed_at_ = kNever;
}

bool Walker::can_happen(std::size_t depth, const Reversal& reversal) {
  system_.rewind(depth);
  bool can = true;
  for (Reversal::Place place = reversal.begin(); can && place < reversal.end(); ++place) {
    if (!reversal.has(place)) continue;
    const Transition transition = reversal.transition(place);
    can = system_.readiness(transition.thread) == Readiness::ready;
    if (can) system_.step(transition.thread, transition.choice);
    ++counters_.transitions;
  }
  system_.rewind(depth);
  for (auto e = static_cast<Execution::EventIndex>(depth); e < execution_.size(); ++e) {
    system_.step(execution_.thread(e), execution_.transition(e).choice);
  }
  counters_.transitions += execution_.size() - depth;
  return can;
}

void Walker::visit() {
  if (assumption_failed_at_ != kNever) {
    ++counters_.blocked;
    if (!listener_.on_dropped(execution_)) stopped_ = true;
    return;
  }
  if (spins_in_vain()) {
    ++counters_.spinning;
    if (!listener_.on_dropped(execution_)) stopped_ = true;
    return;
  }
  ++counters_.traces;
  if (ends_with(Readiness::ready)) ++counters_.cut;
  if (!listener_.on_execution(execution_)) stopped_ = true;
}

}  // namespace heddle
