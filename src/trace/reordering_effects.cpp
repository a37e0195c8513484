// What an event does to the state, and the state as a key.
#include "base/check.h"
#include "trace/reordering.h"
#include "trace/state_key.h"

namespace heddle {

void ReorderingState::append(EventId e, Outcome outcome) {
  CHECK(!broken_rule(e, outcome), "{} breaks a rule", run_->describe(e));
  ++size_;
  if (trace().is_final_read(e)) return;
  ++done_[trace().thread(e)];
  if (outcome == Outcome::free) {
    question_ = e;
    if (is_access(trace().kind(e))) apply_to_memory(e);
  } else {
    apply(e);
  }
}

void ReorderingState::apply(EventId e) {
  switch (object_type(trace().kind(e))) {
    case ObjectType::location: return apply_to_memory(e);
    case ObjectType::lock: return apply_to_lock(e);
    case ObjectType::condition: return apply_to_condition(e);
    case ObjectType::semaphore: return apply_to_semaphore(e);
    case ObjectType::barrier: return apply_to_barrier(e);
    case ObjectType::once: return apply_to_once(e);
    default:
      if (trace().kind(e) == EventKind::exit) exited_ = true;
  }
}

void ReorderingState::apply_to_memory(EventId e) {
  if (!writes(trace().kind(e))) return;
  for (PieceId piece : run_->pieces_of(trace().location(e))) last_writer_[piece] = e;
}

void ReorderingState::apply_to_lock(EventId e) {
  Lock& lock = locks_[trace().lock(e)];
  switch (trace().kind(e)) {
    case EventKind::acquire:
      lock.writer = trace().thread(e);
      ++lock.depth;
      break;
    case EventKind::reader_acquire: ++lock.readers[trace().thread(e)]; break;
    case EventKind::release:
    case EventKind::reader_release: give_up(trace().lock(e), trace().thread(e)); break;
    default: break;
  }
}

void ReorderingState::give_up(LockId id, ThreadId thread) {
  Lock& lock = locks_[id];
  if (lock.writer == thread) {
    if (--lock.depth == 0) lock.writer = ThreadId::none();
  } else if (--lock.readers.at(thread) == 0) {
    lock.readers.erase(thread);
  }
}

void ReorderingState::apply_to_condition(EventId e) {
  Condition& condition = conditions_[trace().condition(e)];
  const EventKind kind = trace().kind(e);
  const ThreadId thread = trace().thread(e);
  if (kind == EventKind::wait) {
    const LockId lock = trace().lock_of_wait(e);
    if (lock.valid()) give_up(lock, thread);
    condition.waiting.insert(thread);
  } else if (kind == EventKind::wake || kind == EventKind::timeout) {
    stop_waiting(condition, thread, kind == EventKind::wake);
  } else {
    notify(condition, kind == EventKind::notify_all);
  }
}

void ReorderingState::notify(Condition& condition, bool all) {
  if (all) {
    condition.notified = {condition.waiting};
    return;
  }
  std::set<std::set<ThreadId>> choices;
  for (const std::set<ThreadId>& notified : condition.notified) {
    if (notified == condition.waiting) choices.insert(notified);
    for (ThreadId waiter : condition.waiting) {
      std::set<ThreadId> choice = notified;
      if (choice.insert(waiter).second) choices.insert(choice);
    }
  }
  condition.notified = choices;
}

// Only the choices remain in which the thread is notified, or in which it is not.
void ReorderingState::stop_waiting(Condition& condition, ThreadId thread, bool notified) {
  std::set<std::set<ThreadId>> choices;
  for (std::set<ThreadId> choice : condition.notified) {
    if ((choice.erase(thread) == 1) == notified) choices.insert(choice);
  }
  condition.notified = choices;
  condition.waiting.erase(thread);
}

void ReorderingState::apply_to_semaphore(EventId e) {
  if (trace().kind(e) == EventKind::semaphore_post) ++counts_[trace().semaphore(e)];
  if (trace().kind(e) == EventKind::semaphore_wait) --counts_[trace().semaphore(e)];
}

void ReorderingState::apply_to_barrier(EventId e) {
  Barrier& barrier = barriers_[trace().barrier(e)];
  if (trace().kind(e) == EventKind::barrier_arrive) {
    barrier.inside[trace().thread(e)] = barrier.arrivals++;
  } else {
    barrier.inside.erase(trace().thread(e));
  }
}

void ReorderingState::apply_to_once(EventId e) {
  Once& once = onces_[trace().once(e)];
  const EventKind kind = trace().kind(e);
  if (kind == EventKind::once_begin) once.runner = trace().thread(e);
  if (kind == EventKind::once_end) once.done = true;
  if (kind == EventKind::once_end || kind == EventKind::once_abort) {
    once.runner = ThreadId::none();
  }
}

// How far each thread has come decides the rest: which regions live, who holds which lock
// how often, the counts of semaphores, and who runs a once-block or has run it.
void ReorderingState::append_key(std::string& key) const {
  append_index(key, question_);
  for (std::uint32_t count : done_) append_number(key, count);
  for (EventId writer : last_writer_) append_index(key, writer);
  for (const Condition& condition : conditions_) {
    append_number(key, condition.notified.size());
    for (const std::set<ThreadId>& choice : condition.notified) {
      append_number(key, choice.size());
      for (ThreadId thread : choice) append_index(key, thread);
    }
  }
  for (const Barrier& barrier : barriers_) {
    for (const auto& [thread, arrival] : barrier.inside) append_number(key, arrival);
  }
}

}  // namespace heddle
