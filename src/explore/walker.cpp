#include "explore/explorer.h"
#include "explore/sequence.h"

namespace heddle {

Walker::Walker(System& system, ExplorationListener& listener, ExploreCounters& counters,
               const ExploreOptions& options)
    : system_(system),
      listener_(listener),
      counters_(counters),
      max_steps_(options.max_steps),
      execution_(system.thread_count(), system.object_count(), options.memory) {}

bool Walker::at_end() const { return execution_.size() >= max_steps_ || !has_ready_thread(); }

ThreadId Walker::end_of_threads() const {
  return ThreadId(static_cast<std::uint32_t>(system_.thread_count()));
}

bool Walker::has_ready_thread() const {
  for (ThreadId thread : indices<ThreadId>(system_.thread_count())) {
    if (system_.readiness(thread) == Readiness::ready) return true;
  }
  return false;
}

void Walker::step(Transition transition, std::uint32_t section) {
  operation_.clear();
  system_.next_operation(transition.thread, operation_);
  const Failure failure = system_.step(transition.thread, transition.choice);
  ++counters_.transitions;
  execution_.push(transition, operation_.accesses, section);
  if (failure == Failure::none) return;
  if (failure == Failure::assumption) {
    assumption_failed_at_ = std::min(assumption_failed_at_, execution_.size());
  } else if (!listener_.on_failure(execution_, failure)) {
    stopped_ = true;
  }
}

void Walker::rewind(std::size_t depth) {
  system_.rewind(depth);
  execution_.pop_to(depth);
  if (assumption_failed_at_ > depth) assumption_failed_at_ = kNever;
}

bool Walker::can_happen(std::size_t depth, const Sequence& sequence) {
  system_.rewind(depth);
  bool can = true;
  for (std::size_t i = 0; can && i < sequence.size(); ++i) {
    const Transition transition = sequence.transition(i);
    can = system_.readiness(transition.thread) == Readiness::ready;
    if (can && i + 1 < sequence.size()) system_.step(transition.thread, transition.choice);
  }
  system_.rewind(depth);
  for (auto e = static_cast<Execution::EventIndex>(depth); e < execution_.size(); ++e) {
    system_.step(execution_.thread(e), execution_.transition(e).choice);
  }
  counters_.transitions += sequence.size() + execution_.size() - depth;
  return can;
}

void Walker::visit() {
  if (assumption_failed_at_ != kNever) {
    ++counters_.blocked;
    if (!listener_.on_dropped(execution_)) stopped_ = true;
    return;
  }
  ++counters_.traces;
  if (has_ready_thread()) ++counters_.cut;
  if (!listener_.on_execution(execution_)) stopped_ = true;
}

}  // namespace heddle
