#include "trace/lock_state.h"

#include <algorithm>

#include "base/check.h"

namespace heddle {
namespace {

template <typename Readers>
auto find_reader(Readers& readers, ThreadId thread) {
  return std::find_if(readers.begin(), readers.end(),
                      [thread](const ReaderHold& hold) { return hold.thread == thread; });
}

}  // namespace

std::optional<Rule> LockStates::broken_rule(const EventRecord& event) const {
  const LockId lock(event.object);
  switch (event.kind) {
    case EventKind::acquire: return broken_by_acquire(event.thread, lock);
    case EventKind::release: return broken_by_release(event.thread, lock);
    case EventKind::failed_acquire: return broken_by_failure(event.thread, lock);
    case EventKind::reader_acquire:
    case EventKind::reader_release:
    case EventKind::failed_reader_acquire:
      return broken_by_reader_event(event.kind, event.thread, lock);
    default: return std::nullopt;
  }
}

std::optional<Rule> LockStates::broken_by_acquire(ThreadId thread, LockId lock) const {
  const LockState& state = locks_[lock];
  if (state.holder == thread) {
    return broken_unless(tables_->locks[lock].kind == LockKind::recursive, Rule::reentrant_acquire);
  }
  if (state.holder.valid()) return Rule::acquire_while_held;
  if (!state.has_readers) return std::nullopt;
  return reads(thread, lock) ? Rule::reentrant_acquire : Rule::acquire_while_held;
}

std::optional<Rule> LockStates::broken_by_release(ThreadId thread, LockId lock) const {
  const LockState& state = locks_[lock];
  if (state.holder == thread) return std::nullopt;
  if (state.holder.valid()) return Rule::foreign_release;
  return reads(thread, lock) ? Rule::release_in_wrong_mode : Rule::release_without_acquire;
}

std::optional<Rule> LockStates::broken_by_reader_event(EventKind kind, ThreadId thread,
                                                       LockId lock) const {
  if (tables_->locks[lock].kind != LockKind::readers_writer) {
    return Rule::reader_event_on_plain_lock;
  }
  if (kind == EventKind::reader_release) return broken_by_reader_release(thread, lock);
  const ThreadId writer = holder(lock);
  if (kind == EventKind::failed_reader_acquire) {
    return broken_unless(writer.valid(), Rule::failure_on_free_lock);
  }
  if (!writer.valid()) return std::nullopt;
  return writer == thread ? Rule::reentrant_acquire : Rule::acquire_while_held;
}

std::optional<Rule> LockStates::broken_by_reader_release(ThreadId thread, LockId lock) const {
  if (reads(thread, lock)) return std::nullopt;
  if (holder(lock) == thread) return Rule::release_in_wrong_mode;
  return locks_[lock].has_readers ? Rule::foreign_release : Rule::release_without_acquire;
}

std::optional<Rule> LockStates::broken_by_failure(ThreadId thread, LockId lock) const {
  const LockState& state = locks_[lock];
  if (tables_->locks[lock].kind == LockKind::recursive) {
    return broken_unless(state.holder.valid() && state.holder != thread,
                         Rule::failure_on_free_lock);
  }
  return broken_unless(state.holder.valid() || state.has_readers, Rule::failure_on_free_lock);
}

std::optional<Rule> LockStates::broken_by_wait(ThreadId thread, LockId lock) const {
  const LockState& state = locks_[lock];
  if (state.holder != thread) return Rule::wait_without_lock;
  return broken_unless(state.depth == 1, Rule::wait_on_nested_lock);
}

void LockStates::apply(const EventRecord& event) {
  const LockId lock(event.object);
  switch (event.kind) {
    case EventKind::acquire: return acquire(event.thread, lock);
    case EventKind::release: return release(lock);
    case EventKind::reader_acquire: return acquire_reader(event.thread, lock);
    case EventKind::reader_release: return release_reader(event.thread, lock);
    default: return;
  }
}

void LockStates::acquire(ThreadId thread, LockId lock) {
  LockState& state = locks_.at(lock);
  state.holder = thread;
  ++state.depth;
}

void LockStates::release(LockId lock) {
  LockState& state = locks_.at(lock);
  if (--state.depth == 0) state.holder = ThreadId::none();
}

void LockStates::acquire_reader(ThreadId thread, LockId lock) {
  std::vector<ReaderHold>& readers = readers_.at(lock);
  const auto found = find_reader(readers, thread);
  if (found != readers.end()) {
    ++found->count;
  } else {
    readers.push_back({thread, 1});
  }
  locks_.at(lock).has_readers = true;
}

void LockStates::release_reader(ThreadId thread, LockId lock) {
  std::vector<ReaderHold>& readers = readers_.at(lock);
  const auto found = find_reader(readers, thread);
  CHECK(found != readers.end());
  if (--found->count == 0) readers.erase(found);
  locks_.at(lock).has_readers = !readers.empty();
}

bool LockStates::reads(ThreadId thread, LockId lock) const {
  const std::vector<ReaderHold>& readers = readers_[lock];
  return find_reader(readers, thread) != readers.end();
}

}  // namespace heddle
