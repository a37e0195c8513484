// Why an event may not come next, in words and with names; and the check of a whole
// sequence, whose answer such an explanation is.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "trace/reordering.h"

namespace heddle {

std::optional<ReorderingViolation> ReorderingState::violation(EventId e, Outcome outcome) const {
  const std::optional<ReorderingRule> rule = broken_rule(e, outcome);
  if (!rule) return std::nullopt;
  return ReorderingViolation{size_, e, *rule, explain(e, *rule)};
}

std::string ReorderingState::explain(EventId e, ReorderingRule rule) const {
  switch (rule) {
    case ReorderingRule::not_an_event:
      return fmt::format("there is no event {}: the trace has {} events", e.value(),
                         trace().size());
    case ReorderingRule::thread_order: return explain_thread_order(e);
    case ReorderingRule::fork: return explain_order(e, run_->fork_of(trace().thread(e)));
    case ReorderingRule::io_order: return explain_order(e, run_->previous_io(e));
    case ReorderingRule::life: return explain_life(e);
    case ReorderingRule::exit:
      return fmt::format("{} comes after the exit of the process", run_->describe(e));
    case ReorderingRule::read: return explain_read(e);
    case ReorderingRule::final_read:
      return fmt::format("{} comes before the end of all threads", run_->describe(e));
    case ReorderingRule::question:
      return fmt::format("{} comes after {}, which is in question", run_->describe(e),
                         run_->describe(question_));
    default: return fmt::format("{}, but {}", run_->describe(e), explain_object(e, rule));
  }
}

std::string ReorderingState::explain_object(EventId e, ReorderingRule rule) const {
  switch (rule) {
    case ReorderingRule::join: return explain_join(trace().other_thread(e));
    case ReorderingRule::lock:
      return fmt::format("{} holds it", fmt::join(names_of(excluders(e)), " and "));
    case ReorderingRule::release:
      return fmt::format("{} does not hold the lock", trace().tables.describe(trace().thread(e)));
    case ReorderingRule::failed_try: return "nobody holds it so that the try fails as in the trace";
    case ReorderingRule::wake: return "no notify can have chosen it";
    case ReorderingRule::timeout: return "it must have been notified";
    case ReorderingRule::semaphore: return "the count is 0";
    case ReorderingRule::failed_semaphore_wait:
      return fmt::format("the count is {}", counts_[trace().semaphore(e)]);
    case ReorderingRule::barrier: return "not all parties have arrived";
    case ReorderingRule::serial:
      return trace().detail(e) != 0 ? "here it was not the last to arrive, as it was in the trace"
                                    : "here it was the last to arrive, unlike in the trace";
    case ReorderingRule::once: return explain_once(onces_[trace().once(e)]);
    default: return std::string(info(rule).sentence);
  }
}

// Something that has not happened yet has to come first.
std::string ReorderingState::explain_order(EventId e, EventId first) const {
  return fmt::format("{} comes before {}", run_->describe(e), run_->describe(first));
}

std::string ReorderingState::explain_thread_order(EventId e) const {
  if (contains(e)) return fmt::format("{} comes a second time", run_->describe(e));
  return explain_order(e, next_event(trace().thread(e)));
}

std::string ReorderingState::explain_join(ThreadId thread) const {
  if (!started(thread)) return fmt::format("{} comes later", run_->describe(run_->fork_of(thread)));
  return fmt::format("{} comes later", run_->describe(next_event(thread)));
}

std::string ReorderingState::explain_once(const Once& once) const {
  if (!once.runner.valid()) return once.done ? "it is done" : "it is not done";
  return fmt::format("{} runs it", trace().tables.describe(once.runner));
}

std::vector<std::string> ReorderingState::names_of(const std::vector<ThreadId>& threads) const {
  std::vector<std::string> names;
  for (ThreadId thread : threads) names.push_back(trace().tables.describe(thread));
  return names;
}

std::string ReorderingState::explain_life(EventId e) const {
  const bool is_free = !trace().is_final_read(e) && trace().kind(e) == EventKind::free;
  const RegionId region =
      is_free ? trace().region(e) : trace().tables.locations[run_->location_of(e)].region;
  const EventId alloc = run_->alloc_of(region);
  if (alloc.valid() && !contains(alloc)) {
    return explain_order(e, alloc);
  }
  return fmt::format("{} comes after {}", run_->describe(e), run_->describe(run_->free_of(region)));
}

// "event 9 (T2 r x) sees event 7 (T1 w x), in the trace it saw the initial write".
std::string ReorderingState::explain_read(EventId e) const {
  const std::size_t i = changed_piece(e).value_or(0);
  const PieceId piece = run_->pieces_of(run_->location_of(e))[i];
  return fmt::format("{} sees {}, in the trace it saw {}", run_->describe(e),
                     run_->describe(last_writer_[piece]), run_->describe(run_->seen(e, i)));
}

std::optional<ReorderingViolation> check_reordering(const Trace& trace,
                                                    std::span<const EventId> sequence,
                                                    const ReorderingOptions& options) {
  const OriginalRun run(trace);
  ReorderingState state(run, options.values);
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    const bool is_question =
        sequence[i] == options.question || (options.last_is_question && i + 1 == sequence.size());
    const Outcome outcome = is_question ? Outcome::free : Outcome::as_in_trace;
    if (auto violation = state.violation(sequence[i], outcome)) return violation;
    state.append(sequence[i], outcome);
  }
  return std::nullopt;
}

}  // namespace heddle
