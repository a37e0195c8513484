#include "trace/enumerate_happens_before.h"

#include <algorithm>

#include "trace/state_key.h"

namespace heddle::enumeration {
namespace {

constexpr std::size_t kWordBits = 64;

std::uint64_t bit(EventId e) { return std::uint64_t{1} << e.value() % kWordBits; }

}  // namespace

void EventSet::insert(EventId e) {
  words_.resize(std::max<std::size_t>(words_.size(), e.value() / kWordBits + 1));
  words_[e.value() / kWordBits] |= bit(e);
}

void EventSet::insert(const EventSet& other) {
  words_.resize(std::max(words_.size(), other.words_.size()));
  for (std::size_t i = 0; i < other.words_.size(); ++i) words_[i] |= other.words_[i];
}

bool EventSet::contains(EventId e) const {
  return e.value() / kWordBits < words_.size() && (words_[e.value() / kWordBits] & bit(e)) != 0;
}

void EventSet::append_key(const EventSet& mask, std::string& key) const {
  for (std::size_t i = 0; i < mask.words_.size(); ++i) {
    append_number(key, i < words_.size() ? words_[i] & mask.words_[i] : 0);
  }
}

SequenceHappensBefore::SequenceHappensBefore(const OriginalRun& run,
                                             const std::vector<EventPair>& conflicts)
    : run_(&run),
      conflicts_(&conflicts),
      threads_(run.thread_count()),
      locks_(run.trace().tables.locks.size()),
      pieces_(run.piece_count()),
      semaphores_(run.trace().tables.semaphores.size()),
      onces_(run.trace().tables.onces.size()) {
  for (const auto& [e, f] : conflicts) {
    in_conflict_.insert(e);
    in_conflict_.insert(f);
  }
}

SequenceHappensBefore::Generation SequenceHappensBefore::generation(EventId e,
                                                                    std::uint32_t arrival) const {
  const BarrierId barrier = trace().barrier(e);
  return {barrier, arrival / std::max(1u, trace().tables.barriers[barrier].parties)};
}

EventSet SequenceHappensBefore::before(const ReorderingState& state, EventId e) const {
  EventSet result = threads_[trace().thread(e)].before;
  switch (trace().kind(e)) {
    case EventKind::join: result.insert(threads_[trace().other_thread(e)].before); break;
    case EventKind::acquire:
      result.insert(locks_[trace().lock(e)].by_writers);
      result.insert(locks_[trace().lock(e)].by_readers);
      break;
    case EventKind::reader_acquire: result.insert(locks_[trace().lock(e)].by_writers); break;
    case EventKind::wake: result.insert(threads_[trace().thread(e)].notified); break;
    case EventKind::semaphore_wait: result.insert(semaphores_[trace().semaphore(e)]); break;
    case EventKind::barrier_leave:
      result.insert(
          arrived_.at(generation(e, state.arrival_of(trace().barrier(e), trace().thread(e)))));
      break;
    case EventKind::once_begin:
    case EventKind::once_pass: result.insert(onces_[trace().once(e)]); break;
    default: result.insert(handed_to_fence_or_access(e));
  }
  return result;
}

EventSet SequenceHappensBefore::handed_to_fence_or_access(EventId e) const {
  const EventKind kind = trace().kind(e);
  if ((kind != EventKind::fence && !is_atomic(kind)) || !is_acquire_order(trace().order(e))) {
    return {};
  }
  if (kind == EventKind::fence) return threads_[trace().thread(e)].for_acquire_fence;
  return reads(kind) ? handed_on_by_memory(e) : EventSet();
}

EventSet SequenceHappensBefore::handed_on_by_memory(EventId e) const {
  EventSet result;
  for (PieceId piece : run_->pieces_of(trace().location(e))) result.insert(pieces_[piece]);
  return result;
}

void SequenceHappensBefore::append(const ReorderingState& state, EventId e) {
  Thread& thread = threads_[trace().thread(e)];
  thread.before = before(state, e);
  if (in_conflict_.contains(e)) thread.before.insert(e);
  hand_on(state, e);
}

void SequenceHappensBefore::hand_on(const ReorderingState& state, EventId e) {
  Thread& thread = threads_[trace().thread(e)];
  switch (trace().kind(e)) {
    case EventKind::fork: threads_[trace().other_thread(e)].before.insert(thread.before); break;
    case EventKind::release:
    case EventKind::reader_release:
      hand_on_by_release(trace().lock(e), trace().kind(e) == EventKind::reader_release,
                         thread.before);
      break;
    case EventKind::wait: {
      const LockId lock = trace().lock_of_wait(e);
      if (!lock.valid()) break;
      hand_on_by_release(lock, state.holds_as_reader(trace().thread(e), lock), thread.before);
      break;
    }
    case EventKind::wake:
    case EventKind::timeout: thread.notified = EventSet(); break;
    case EventKind::notify:
    case EventKind::notify_all: hand_on_by_notify(state, e); break;
    case EventKind::semaphore_post: semaphores_[trace().semaphore(e)].insert(thread.before); break;
    case EventKind::barrier_arrive:
      arrived_[generation(e, state.arrivals(trace().barrier(e)))].insert(thread.before);
      break;
    case EventKind::once_end:
    case EventKind::once_abort: onces_[trace().once(e)].insert(thread.before); break;
    case EventKind::fence:
      if (is_release_order(trace().order(e))) thread.at_release_fence = thread.before;
      break;
    default:
      if (is_access(trace().kind(e))) hand_on_by_memory(e);
  }
}

void SequenceHappensBefore::hand_on_by_release(LockId lock, bool as_reader, const EventSet& set) {
  (as_reader ? locks_[lock].by_readers : locks_[lock].by_writers).insert(set);
}

void SequenceHappensBefore::hand_on_by_notify(const ReorderingState& state, EventId e) {
  for (ThreadId waiter : indices(threads_)) {
    if (state.is_waiting(waiter, trace().condition(e))) {
      threads_[waiter].notified.insert(threads_[trace().thread(e)].before);
    }
  }
}

// An atomic write hands on what happened before it if it is a release, else what happened
// before the last release fence; a read-modify-write prolongs the release sequence that it
// reads from; any other write ends it.
void SequenceHappensBefore::hand_on_by_memory(EventId e) {
  const EventKind kind = trace().kind(e);
  Thread& thread = threads_[trace().thread(e)];
  if (is_atomic(kind) && reads(kind)) thread.for_acquire_fence.insert(handed_on_by_memory(e));
  if (!writes(kind)) return;
  EventSet handed_on;
  if (is_atomic(kind)) {
    handed_on = is_release_order(trace().order(e)) ? thread.before : thread.at_release_fence;
  }
  for (PieceId piece : run_->pieces_of(trace().location(e))) {
    if (kind != EventKind::atomic_rmw) pieces_[piece] = EventSet();
    pieces_[piece].insert(handed_on);
  }
}

void SequenceHappensBefore::append_key(const ReorderingState& state, std::string& key) const {
  EventSet mask;
  for (const auto& [e, f] : *conflicts_) {
    if (!state.contains(f)) mask.insert(e);
    if (!state.contains(e)) mask.insert(f);
  }
  for (const Thread& thread : threads_) {
    thread.before.append_key(mask, key);
    thread.at_release_fence.append_key(mask, key);
    thread.for_acquire_fence.append_key(mask, key);
    thread.notified.append_key(mask, key);
  }
  for (const Lock& lock : locks_) {
    lock.by_writers.append_key(mask, key);
    lock.by_readers.append_key(mask, key);
  }
  for (const EventSet& piece : pieces_) piece.append_key(mask, key);
  for (const EventSet& semaphore : semaphores_) semaphore.append_key(mask, key);
  for (const EventSet& once : onces_) once.append_key(mask, key);
  for (const auto& [generation, arrived] : arrived_) arrived.append_key(mask, key);
}

}  // namespace heddle::enumeration
