// What the state knows, and which rule an event would break. What events do to the state
// is in reordering_effects.cpp, explanations are in reordering_explain.cpp.
#include "trace/reordering.h"

#include <algorithm>

#include "base/check.h"

namespace heddle {
namespace {

std::optional<ReorderingRule> unless(bool holds, ReorderingRule rule) {
  return holds ? std::nullopt : std::optional(rule);
}

}  // namespace

ReorderingState::ReorderingState(const OriginalRun& run, bool values)
    : run_(&run),
      values_(values),
      done_(run.thread_count(), 0),
      last_writer_(run.piece_count(), kInitialWrite),
      locks_(trace().tables.locks.size()),
      conditions_(trace().tables.conditions.size()),
      barriers_(trace().tables.barriers.size()),
      onces_(trace().tables.onces.size()) {
  for (const SemaphoreInfo& semaphore : trace().tables.semaphores) counts_.add(semaphore.initial);
}

// --- What has happened so far ---

bool ReorderingState::contains(EventId e) const {
  return run_->index_in_thread(e) < done_[trace().thread(e)];
}

bool ReorderingState::complete() const {
  for (ThreadId t : indices(done_)) {
    if (next_event(t).valid()) return false;
  }
  return true;
}

EventId ReorderingState::next_event(ThreadId thread) const {
  const std::vector<EventId>& events = run_->events_of(thread);
  return done_[thread] < events.size() ? events[done_[thread]] : EventId::none();
}

bool ReorderingState::started(ThreadId thread) const {
  const EventId fork = run_->fork_of(thread);
  return !fork.valid() || contains(fork);
}

bool ReorderingState::holds(ThreadId thread, LockId lock) const {
  return locks_[lock].writer == thread || holds_as_reader(thread, lock);
}

bool ReorderingState::holds_as_reader(ThreadId thread, LockId lock) const {
  return locks_[lock].readers.contains(thread);
}

std::vector<ThreadId> ReorderingState::excluders(EventId e) const {
  const EventKind kind = trace().kind(e);
  const bool as_reader =
      kind == EventKind::reader_acquire || kind == EventKind::failed_reader_acquire;
  const Lock& lock = locks_[trace().lock(e)];
  const bool may_enter_again = trace().tables.locks[trace().lock(e)].kind == LockKind::recursive;
  std::vector<ThreadId> result;
  if (lock.writer.valid() && !(may_enter_again && lock.writer == trace().thread(e))) {
    result.push_back(lock.writer);
  }
  if (!as_reader) {
    for (const auto& [reader, count] : lock.readers) result.push_back(reader);
  }
  return result;
}

bool ReorderingState::is_waiting(ThreadId thread, ConditionId condition) const {
  return conditions_[condition].waiting.contains(thread);
}

std::uint32_t ReorderingState::arrival_of(BarrierId barrier, ThreadId thread) const {
  const auto inside = barriers_[barrier].inside.find(thread);
  CHECK(inside != barriers_[barrier].inside.end());
  return inside->second;
}

// --- Which rule an event would break ---

std::optional<ReorderingRule> ReorderingState::broken_rule(EventId e, Outcome outcome) const {
  const std::size_t final_reads_end = trace().size() + trace().tables.locations.size();
  if (e.value() >= final_reads_end) return ReorderingRule::not_an_event;
  if (question_.valid() && !reads(trace().kind(question_))) return ReorderingRule::question;
  if (trace().is_final_read(e)) return rule_of_final_read(e, outcome);
  if (exited_) return ReorderingRule::exit;
  const std::optional<ReorderingRule> broken = rule_of_thread(e);
  return broken ? broken : rule_of_object(e, outcome);
}

std::optional<ReorderingRule> ReorderingState::rule_of_thread(EventId e) const {
  const ThreadId thread = trace().thread(e);
  if (next_event(thread) != e) return ReorderingRule::thread_order;
  if (question_.valid() && trace().thread(question_) == thread) return ReorderingRule::question;
  return unless(started(thread), ReorderingRule::fork);
}

std::optional<ReorderingRule> ReorderingState::rule_of_object(EventId e, Outcome outcome) const {
  switch (object_type(trace().kind(e))) {
    case ObjectType::thread:
      if (trace().kind(e) == EventKind::fork) return std::nullopt;
      return rule_of_join(trace().other_thread(e));
    case ObjectType::lock: return rule_of_lock(e, outcome);
    case ObjectType::condition: return rule_of_condition(e, outcome);
    case ObjectType::semaphore: return rule_of_semaphore(e, outcome);
    case ObjectType::barrier: return rule_of_barrier(e, outcome);
    case ObjectType::once: return rule_of_once(e, outcome);
    case ObjectType::descriptor: {
      const EventId previous = run_->previous_io(e);
      return unless(outcome == Outcome::free || !previous.valid() || contains(previous),
                    ReorderingRule::io_order);
    }
    case ObjectType::region:
      if (trace().kind(e) == EventKind::alloc) return std::nullopt;
      return rule_of_life(trace().region(e));
    case ObjectType::location: return rule_of_access(e, outcome);
    case ObjectType::none: return std::nullopt;
  }
  return std::nullopt;
}

// A thread that ended with the event in question might go on after another outcome of it.
std::optional<ReorderingRule> ReorderingState::rule_of_join(ThreadId thread) const {
  if (question_.valid() && trace().thread(question_) == thread) return ReorderingRule::question;
  return unless(started(thread) && !next_event(thread).valid(), ReorderingRule::join);
}

std::optional<ReorderingRule> ReorderingState::rule_of_lock(EventId e, Outcome outcome) const {
  const Lock& lock = locks_[trace().lock(e)];
  switch (trace().kind(e)) {
    case EventKind::acquire:
    case EventKind::reader_acquire: {
      const bool may_give_up = trace().detail(e) != 0 && outcome == Outcome::free;
      return unless(may_give_up || excluders(e).empty(), ReorderingRule::lock);
    }
    case EventKind::failed_acquire:
    case EventKind::failed_reader_acquire:
      return unless(outcome == Outcome::free || !excluders(e).empty(), ReorderingRule::failed_try);
    case EventKind::release:
      return unless(lock.writer == trace().thread(e), ReorderingRule::release);
    case EventKind::reader_release:
      return unless(lock.readers.contains(trace().thread(e)), ReorderingRule::release);
    default: return std::nullopt;
  }
}

// Whether the thread of e may be one of the notified ones, or one of the others.
bool ReorderingState::may_be(EventId e, bool notified) const {
  const ThreadId thread = trace().thread(e);
  const Condition& condition = conditions_[trace().condition(e)];
  return condition.waiting.contains(thread) &&
         std::any_of(condition.notified.begin(), condition.notified.end(),
                     [&](const auto& choice) { return choice.contains(thread) == notified; });
}

std::optional<ReorderingRule> ReorderingState::rule_of_condition(EventId e, Outcome outcome) const {
  switch (trace().kind(e)) {
    case EventKind::wait: {
      const LockId lock = trace().lock_of_wait(e);
      return unless(!lock.valid() || holds(trace().thread(e), lock), ReorderingRule::release);
    }
    case EventKind::wake: return unless(may_be(e, true), ReorderingRule::wake);
    case EventKind::timeout:
      return unless(may_be(e, false) || (outcome == Outcome::free && may_be(e, true)),
                    ReorderingRule::timeout);
    default: return std::nullopt;
  }
}

std::optional<ReorderingRule> ReorderingState::rule_of_semaphore(EventId e, Outcome outcome) const {
  const bool positive = counts_[trace().semaphore(e)] > 0;
  const bool may_give_up = outcome == Outcome::free && trace().detail(e) != 0;
  switch (trace().kind(e)) {
    case EventKind::semaphore_wait:
      return unless(positive || may_give_up, ReorderingRule::semaphore);
    case EventKind::failed_semaphore_wait:
      return unless(!positive || outcome == Outcome::free, ReorderingRule::failed_semaphore_wait);
    default: return std::nullopt;
  }
}

std::optional<ReorderingRule> ReorderingState::rule_of_barrier(EventId e, Outcome outcome) const {
  if (trace().kind(e) == EventKind::barrier_arrive) return std::nullopt;
  const Barrier& barrier = barriers_[trace().barrier(e)];
  const std::uint32_t parties = std::max(1u, trace().tables.barriers[trace().barrier(e)].parties);
  const auto arrived = barrier.inside.find(trace().thread(e));
  if (arrived == barrier.inside.end()) return ReorderingRule::barrier;
  const std::uint32_t generation = arrived->second / parties;
  if (barrier.arrivals / parties <= generation) return ReorderingRule::barrier;
  if (outcome == Outcome::free || !run_->reports_serial(trace().barrier(e))) return std::nullopt;
  const bool was_last = arrived->second % parties == parties - 1;
  return unless(was_last == (trace().detail(e) != 0), ReorderingRule::serial);
}

std::optional<ReorderingRule> ReorderingState::rule_of_once(EventId e, Outcome outcome) const {
  const Once& once = onces_[trace().once(e)];
  const bool is_free = outcome == Outcome::free;
  switch (trace().kind(e)) {
    case EventKind::once_begin:
      return unless(!once.runner.valid() && (!once.done || is_free), ReorderingRule::once);
    case EventKind::once_pass:
      return unless(!once.runner.valid() && (once.done || is_free), ReorderingRule::once);
    default: return unless(once.runner == trace().thread(e), ReorderingRule::once);
  }
}

std::optional<ReorderingRule> ReorderingState::rule_of_life(RegionId region) const {
  const EventId alloc = run_->alloc_of(region);
  const EventId free = run_->free_of(region);
  return unless((!alloc.valid() || contains(alloc)) && (!free.valid() || !contains(free)),
                ReorderingRule::life);
}

std::optional<ReorderingRule> ReorderingState::rule_of_access(EventId e, Outcome outcome) const {
  const RegionId region = trace().tables.locations[trace().location(e)].region;
  if (region.valid() && rule_of_life(region)) return ReorderingRule::life;
  if (!reads(trace().kind(e)) || outcome == Outcome::free) return std::nullopt;
  return unless(!changed_piece(e), ReorderingRule::read);
}

std::optional<ReorderingRule> ReorderingState::rule_of_final_read(EventId e,
                                                                  Outcome outcome) const {
  if (!complete()) return ReorderingRule::final_read;
  if (question_.valid()) return ReorderingRule::question;
  const RegionId region = trace().tables.locations[run_->location_of(e)].region;
  if (region.valid() && rule_of_life(region)) return ReorderingRule::life;
  return unless(outcome == Outcome::free || !changed_piece(e), ReorderingRule::read);
}

// Which of its location's pieces the read would see otherwise than in the trace. What a
// read-modify-write in question writes is not known, so nobody can see the same as before.
std::optional<std::size_t> ReorderingState::changed_piece(EventId read) const {
  const std::vector<PieceId>& pieces = run_->pieces_of(run_->location_of(read));
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const EventId writer = last_writer_[pieces[i]];
    if (writer == question_) return i;
    if (writer == run_->seen(read, i)) continue;
    const auto value = run_->value_seen(read, i);
    if (!values_ || !value || run_->value_left(writer, pieces[i]) != value) return i;
  }
  return std::nullopt;
}

}  // namespace heddle
