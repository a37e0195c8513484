// Locks, conditions, semaphores, fork and join as words of the state.
//
//   lock        holder + 1 (0: free), depth
//   rwlock      writer + 1 (0: none), number of reader holds, reader holds of each thread
//   semaphore   count
//   condition   length, then a queue of waiters (thread + 1) and tokens (-1)
//
// A notify does not choose whom to wake: it puts a token behind the waiters that are there,
// and any of them may take it (each the first one behind it), so that the waking itself is
// what an explorer orders. There are never more tokens than waiters before them, so none is
// left over. Waiters between two tokens are the same to the rest of the model and are kept
// sorted, so that equal states are equal words.
#include <algorithm>

#include "model/machine.h"

namespace heddle::model {
namespace {

constexpr std::int64_t kToken = -1;
std::int64_t mark_of(ThreadId thread) { return std::int64_t{thread.value()} + 1; }

}  // namespace

bool Machine::holds(ThreadId thread, std::uint32_t lock) const {
  return words_[sync(lock).word] == mark_of(thread);
}

bool Machine::can_acquire(std::uint32_t lock) const {
  const SyncObject& object = sync(lock);
  const bool read = object.kind == SyncKind::rwlock && words_[object.word + 1] > 0;
  return words_[object.word] == 0 && !read;
}

bool Machine::can_acquire_as_reader(std::uint32_t lock) const {
  return words_[sync(lock).word] == 0;
}

// Only of a recursive lock: one more time.
bool Machine::can_acquire_again(ThreadId thread, std::uint32_t lock) const {
  return sync(lock).kind == SyncKind::recursive_lock && holds(thread, lock);
}

bool Machine::semaphore_is_positive(std::uint32_t semaphore) const {
  return words_[sync(semaphore).word] > 0;
}

// A thread that would wait for itself is not blocked: it steps, and that is misuse.
bool Machine::can_synchronise(ThreadId thread, const Transition& transition) const {
  std::uint32_t object = 0;
  if (!resolve(transition.object, object)) return true;
  switch (transition.kind) {
    case TransitionKind::acquire: {
      if (can_acquire(object) || holds(thread, object)) return true;
      const SyncObject& lock = sync(object);
      return lock.kind == SyncKind::rwlock && words_[lock.word + 2 + thread.value()] > 0;
    }
    case TransitionKind::reader_acquire:
      return can_acquire_as_reader(object) || holds(thread, object);
    case TransitionKind::wake: return is_notified(thread, object);
    case TransitionKind::semaphore_wait: return semaphore_is_positive(object);
    case TransitionKind::join: return is_over(object);
    default: return true;
  }
}

Failure Machine::synchronise(ThreadId thread, const Transition& transition) {
  std::uint32_t object = 0;
  Fault fault;
  if (!resolve(transition.object, object, fault)) return fail(fault, transition);
  const auto add = [&](std::int64_t change) {
    const std::uint32_t word = sync(object).word;
    set(word, words_[word] + change);
    return true;
  };
  bool right = true;
  switch (transition.kind) {
    case TransitionKind::acquire: right = acquire(thread, object); break;
    case TransitionKind::release: right = release(thread, object); break;
    case TransitionKind::try_acquire: {
      const bool got = can_acquire(object) || can_acquire_again(thread, object);
      if (got) acquire(thread, object);
      return set_result(transition, got);
    }
    case TransitionKind::reader_acquire: right = reader_acquire(thread, object); break;
    case TransitionKind::reader_release: right = reader_release(thread, object); break;
    case TransitionKind::try_reader_acquire: {
      const bool got = can_acquire_as_reader(object);
      if (got) reader_acquire(thread, object);
      return set_result(transition, got);
    }
    case TransitionKind::wait: right = wait(thread, object, transition); break;
    case TransitionKind::wake: wake(thread, object); break;
    case TransitionKind::notify: notify(object, false); break;
    case TransitionKind::notify_all: notify(object, true); break;
    case TransitionKind::semaphore_wait: right = add(-1); break;
    case TransitionKind::try_semaphore_wait: {
      const bool got = semaphore_is_positive(object);
      if (got) add(-1);
      return set_result(transition, got);
    }
    case TransitionKind::semaphore_post: right = add(1); break;
    case TransitionKind::fork: right = fork(object); break;
    default: break;  // join and end change nothing but the control state
  }
  return right ? Failure::none : fail(Failure::misuse, transition);
}

bool Machine::acquire(ThreadId thread, std::uint32_t lock) {
  const std::uint32_t word = sync(lock).word;
  if (can_acquire_again(thread, lock)) {
    set(word + 1, words_[word + 1] + 1);
    return true;
  }
  if (!can_acquire(lock)) return false;
  set(word, mark_of(thread));
  if (sync(lock).kind == SyncKind::recursive_lock) set(word + 1, 1);
  return true;
}

bool Machine::release(ThreadId thread, std::uint32_t lock) {
  if (!holds(thread, lock)) return false;
  const std::uint32_t word = sync(lock).word;
  const bool recursive = sync(lock).kind == SyncKind::recursive_lock;
  if (recursive) set(word + 1, words_[word + 1] - 1);
  if (!recursive || words_[word + 1] == 0) set(word, 0);
  return true;
}

bool Machine::reader_acquire(ThreadId thread, std::uint32_t lock) {
  if (!can_acquire_as_reader(lock)) return false;
  const std::uint32_t word = sync(lock).word;
  const std::uint32_t own = word + 2 + thread.value();
  set(word + 1, words_[word + 1] + 1);
  set(own, words_[own] + 1);
  return true;
}

bool Machine::reader_release(ThreadId thread, std::uint32_t lock) {
  const std::uint32_t word = sync(lock).word;
  const std::uint32_t own = word + 2 + thread.value();
  if (words_[own] == 0) return false;
  set(word + 1, words_[word + 1] - 1);
  set(own, words_[own] - 1);
  return true;
}

// Needs the lock, held once.
bool Machine::wait(ThreadId thread, std::uint32_t condition, const Transition& transition) {
  std::uint32_t lock = 0;
  if (!resolve(transition.lock, lock) || !holds(thread, lock)) return false;
  const std::uint32_t depth_word = sync(lock).word + 1;
  if (sync(lock).kind == SyncKind::recursive_lock && words_[depth_word] != 1) return false;
  release(thread, lock);
  const std::uint32_t length_word = sync(condition).word;
  const std::uint32_t first = length_word + 1;
  auto at = static_cast<std::uint32_t>(words_[length_word]);
  set(length_word, at + 1);
  for (; at > 0 && words_[first + at - 1] > mark_of(thread); --at) {
    set(first + at, words_[first + at - 1]);
  }
  set(first + at, mark_of(thread));
  return true;
}

bool Machine::is_notified(ThreadId thread, std::uint32_t condition) const {
  const auto first = words_.begin() + sync(condition).word + 1;
  const auto end = first + words_[sync(condition).word];
  const auto own = std::find(first, end, mark_of(thread));
  return std::find(own, end, kToken) != end;
}

// The waiter and the first token behind it go; the groups on both sides of it become one.
void Machine::wake(ThreadId thread, std::uint32_t condition) {
  const std::uint32_t length_word = sync(condition).word;
  const std::uint32_t first = length_word + 1;
  const auto length = static_cast<std::uint32_t>(words_[length_word]);
  std::uint32_t kept = 0;
  bool token_taken = false, waiter_found = false;
  for (std::uint32_t i = 0; i < length; ++i) {
    const std::int64_t entry = words_[first + i];
    const bool own = entry == mark_of(thread);
    const bool taken = entry == kToken && waiter_found && !token_taken;
    waiter_found = waiter_found || own;
    token_taken = token_taken || taken;
    if (own || taken) continue;
    std::uint32_t to = kept++;
    for (; entry != kToken && to > 0 && words_[first + to - 1] > entry; --to) {
      set(first + to, words_[first + to - 1]);
    }
    set(first + to, entry);
  }
  for (std::uint32_t i = kept; i < length; ++i) set(first + i, 0);
  set(length_word, kept);
}

void Machine::notify(std::uint32_t condition, bool all) {
  const std::uint32_t length_word = sync(condition).word;
  const std::uint32_t first = length_word + 1;
  auto length = static_cast<std::uint32_t>(words_[length_word]);
  const auto begin = words_.begin() + first;
  const auto tokens = static_cast<std::uint32_t>(std::count(begin, begin + length, kToken));
  const std::uint32_t unnotified = length - 2 * tokens;
  for (std::uint32_t i = 0; i < std::min(unnotified, all ? unnotified : 1); ++i) {
    set(first + length++, kToken);
  }
  set(length_word, length);
}

bool Machine::fork(std::uint32_t object) {
  const std::uint32_t word = first_status_ + object - model_.layout.first_thread_object;
  if (words_[word] != static_cast<std::int64_t>(ThreadStatus::unborn)) return false;
  set(word, static_cast<std::int64_t>(ThreadStatus::born));
  return true;
}

bool Machine::is_over(std::uint32_t thread_object) const {
  const ThreadId thread(thread_object - model_.layout.first_thread_object);
  return finished(thread) && status(thread) != ThreadStatus::failed;
}

}  // namespace heddle::model
