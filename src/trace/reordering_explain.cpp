// Why an event may not come next, in words and with names; and the check of a whole
// sequence, whose answer such an explanation is.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "trace/reordering.h"

namespace heddle {

std::optional<Violation> ReorderingState::violation(EventId e, Outcome outcome) const {
  const std::optional<Rule> rule = broken_rule(e, outcome);
  if (!rule) return std::nullopt;
  return Violation{size_, e, *rule, explain(e, *rule)};
}

std::string ReorderingState::object_name(EventId e) const {
  return trace().tables.describe(object_type(trace().kind(e)), trace().object(e));
}

std::string ReorderingState::explain(EventId e, Rule rule) const {
  switch (rule) {
    case Rule::not_an_event:
      return fmt::format("there is no event {}: the trace has {} events", e.value(),
                         trace().size());
    case Rule::thread_order:
      return explain_thread_order(e);
    case Rule::fork:
      return fmt::format("{} comes before {}", run_->describe(e),
                         run_->describe(run_->fork_of(trace().thread(e))));
    case Rule::join: {
      const EventId next = next_event(trace().other_thread(e));
      return fmt::format(
          "{} comes before {}", run_->describe(e),
          run_->describe(next.valid() ? next : run_->fork_of(trace().other_thread(e))));
    }
    case Rule::lock:
      return explain_lock(e);
    case Rule::release:
      return fmt::format("{}, but {} does not hold the lock", run_->describe(e),
                         trace().tables.describe(trace().thread(e)));
    case Rule::failed_try:
      return fmt::format("{} failed in the trace, but here nobody keeps it from succeeding",
                         run_->describe(e));
    case Rule::wake:
      return fmt::format("{}, but no notify can have chosen it", run_->describe(e));
    case Rule::timeout:
      return fmt::format("{}, but it must have been notified", run_->describe(e));
    case Rule::semaphore:
      return fmt::format("{}, but the count of {} is 0", run_->describe(e), object_name(e));
    case Rule::failed_semaphore_wait:
      return fmt::format("{} failed in the trace, but here the count of {} is {}",
                         run_->describe(e), object_name(e), counts_[trace().semaphore(e)]);
    case Rule::barrier:
      return fmt::format("{}, but not all parties have arrived", run_->describe(e));
    case Rule::serial:
      return fmt::format("{} was {}told in the trace that it was the last to arrive, here it {}",
                         run_->describe(e), trace().detail(e) != 0 ? "" : "not ",
                         trace().detail(e) != 0 ? "was not" : "was");
    case Rule::once: {
      const Once& once = onces_[trace().once(e)];
      return fmt::format("{}, but {} is {}", run_->describe(e), object_name(e),
                         once.runner.valid()
                             ? "being run by " + trace().tables.describe(once.runner)
                         : once.done ? "done"
                                     : "not done");
    }
    case Rule::io_order:
      return fmt::format("{} comes before {}", run_->describe(e),
                         run_->describe(run_->previous_io(e)));
    case Rule::life:
      return explain_life(e);
    case Rule::exit:
      return fmt::format("{} comes after the exit of the process", run_->describe(e));
    case Rule::read:
      return explain_read(e);
    case Rule::final_read:
      return fmt::format("{} comes before the end of all threads", run_->describe(e));
    case Rule::question:
      return fmt::format("{} comes after the event in question, {}", run_->describe(e),
                         run_->describe(question_));
  }
  return {};
}

std::string ReorderingState::explain_thread_order(EventId e) const {
  if (contains(e)) return fmt::format("{} comes a second time", run_->describe(e));
  return fmt::format("{} comes before {}", run_->describe(e),
                     run_->describe(next_event(trace().thread(e))));
}

std::string ReorderingState::explain_lock(EventId e) const {
  std::vector<std::string> names;
  for (ThreadId holder : excluders(e)) names.push_back(trace().tables.describe(holder));
  return fmt::format("{}, but {} holds {}", run_->describe(e), fmt::join(names, " and "),
                     object_name(e));
}

std::string ReorderingState::explain_life(EventId e) const {
  const bool is_free = !trace().is_final_read(e) && trace().kind(e) == EventKind::free;
  const RegionId region =
      is_free ? trace().region(e) : trace().tables.locations[run_->location_of(e)].region;
  const EventId alloc = run_->alloc_of(region);
  if (alloc.valid() && !contains(alloc)) {
    return fmt::format("{} comes before {}", run_->describe(e), run_->describe(alloc));
  }
  return fmt::format("{} comes after {}", run_->describe(e), run_->describe(run_->free_of(region)));
}

// "event 9 (T2 r x) sees event 7 (T1 w x), in the trace it saw the initial write".
std::string ReorderingState::explain_read(EventId e) const {
  const std::size_t i = changed_cell(e).value_or(0);
  const CellId cell = run_->cells_of(run_->location_of(e))[i];
  return fmt::format("{} sees {}, in the trace it saw {}", run_->describe(e),
                     run_->describe(last_writer_[cell]), run_->describe(run_->seen(e, i)));
}

std::optional<Violation> check_reordering(const Trace& trace, std::span<const EventId> sequence,
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
