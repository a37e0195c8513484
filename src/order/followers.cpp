#include "order/followers.h"

#include <algorithm>

#include "base/random.h"

namespace heddle::order {

Followers::Followers(const Facts& facts, EventId first, EventId second)
    : facts_(facts), first_(first), second_(second), threads_(facts.thread_count()) {
  const Tables& tables = trace().tables;
  locks_ = 4 * threads_;
  cells_ = locks_ + 2 * tables.locks.size();
  semaphores_ = cells_ + facts.derived().cells.size();
  onces_ = semaphores_ + tables.semaphores.size();
  std::size_t next = onces_ + tables.onces.size();
  for (BarrierId b : indices(tables.barriers)) {
    generations_.push_back(next);
    next += facts.derived().objects.of(ObjectType::barrier, b.value()).size() + 1;
  }
  bits_.assign(next, false);
}

Followers::Slot Followers::generation(EventId e, std::uint32_t arrival) const {
  const BarrierId barrier = trace().barrier(e);
  return generations_[barrier.value()] +
         arrival / std::max(1u, trace().tables.barriers[barrier].parties);
}

bool Followers::is_hopeless(const Machine&) const { return bits_[known(trace().thread(second_))]; }

// A post hands on to all later waits, so that posting early may do harm; whatever else only helps
// others is handed on to the same events early or late.
bool Followers::is_neutral(EventId e) const { return trace().kind(e) != EventKind::semaphore_post; }

bool Followers::before(const Machine& machine, EventId e) const {
  const ThreadId thread = trace().thread(e);
  if (bits_[known(thread)]) return true;
  const EventKind kind = trace().kind(e);
  switch (kind) {
    case EventKind::join: return bits_[known(trace().other_thread(e))];
    case EventKind::acquire:
      return bits_[by_writers(trace().lock(e))] || bits_[by_readers(trace().lock(e))];
    case EventKind::reader_acquire: return bits_[by_writers(trace().lock(e))];
    case EventKind::wake: return bits_[notified(thread)];
    case EventKind::semaphore_wait: return bits_[semaphore(e)];
    case EventKind::barrier_leave:
      return bits_[generation(e, machine.arrival_of(trace().barrier(e), thread))];
    case EventKind::once_begin:
    case EventKind::once_pass: return bits_[once(e)];
    case EventKind::fence:
      return is_acquire_order(trace().order(e)) && bits_[acquire_fence(thread)];
    default:
      return is_atomic(kind) && reads(kind) && is_acquire_order(trace().order(e)) &&
             handed_on_by_memory(e);
  }
}

bool Followers::handed_on_by_memory(EventId e) const {
  const auto cells = facts_.cells(e);
  return std::any_of(cells.begin(), cells.end(), [&](CellId c) { return bits_[cell(c)]; });
}

void Followers::step(const Machine& machine, EventId e) {
  steps_.push_back(flipped_.size());
  const bool knows = e == first_ || before(machine, e);
  raise(known(trace().thread(e)), knows);
  hand_on(machine, e, knows);
}

void Followers::hand_on(const Machine& machine, EventId e, bool knows) {
  const ThreadId thread = trace().thread(e);
  switch (trace().kind(e)) {
    case EventKind::fork: return raise(known(trace().other_thread(e)), knows);
    case EventKind::release: return raise(by_writers(trace().lock(e)), knows);
    case EventKind::reader_release: return raise(by_readers(trace().lock(e)), knows);
    case EventKind::wait: {
      const LockId lock = trace().lock_of_wait(e);
      if (lock.valid()) raise(waits_as_reader(e) ? by_readers(lock) : by_writers(lock), knows);
      return;
    }
    case EventKind::wake:
    case EventKind::timeout: return set(notified(thread), false);
    case EventKind::notify:
    case EventKind::notify_all:
      for (ThreadId token : machine.waiting(trace().condition(e)).row()) {
        if (token.valid()) raise(notified(token), knows);
      }
      return;
    case EventKind::semaphore_post: return raise(semaphore(e), knows);
    case EventKind::barrier_arrive:
      return raise(generation(e, machine.arrivals(trace().barrier(e))), knows);
    case EventKind::once_end:
    case EventKind::once_abort: return raise(once(e), knows);
    case EventKind::fence:
      if (is_release_order(trace().order(e))) set(release_fence(thread), knows);
      return;
    default:
      if (is_access(trace().kind(e))) hand_on_by_memory(e, knows);
  }
}

bool Followers::waits_as_reader(EventId wait) const {
  const Node at = facts_.node(wait);
  const auto items = facts_.acquires().items(trace().lock_of_wait(wait), at.thread);
  const auto* item = last_below(items, at.index);
  return item != nullptr && facts_.section(SectionId(item->payload)).reader;
}

// An atomic write hands on what happened before it if it is a release, else what happened
// before the last release fence; a read-modify-write prolongs the release sequence that it
// reads from; any other write ends it.
void Followers::hand_on_by_memory(EventId e, bool knows) {
  const EventKind kind = trace().kind(e);
  const ThreadId thread = trace().thread(e);
  if (is_atomic(kind) && reads(kind)) raise(acquire_fence(thread), handed_on_by_memory(e));
  if (!writes(kind)) return;
  bool handed_on = false;
  if (is_atomic(kind)) {
    handed_on = is_release_order(trace().order(e)) ? knows : bits_[release_fence(thread)];
  }
  for (CellId c : facts_.cells(e)) {
    const bool prolonged = kind == EventKind::atomic_rmw && bits_[cell(c)];
    set(cell(c), prolonged || handed_on);
  }
}

void Followers::set(Slot slot, bool value) {
  if (bits_[slot] == value) return;
  bits_[slot] = value;
  flipped_.push_back(slot);
  Random random(slot);
  hash_.first ^= random.next();
  hash_.second ^= random.next();
}

void Followers::take_back() {
  while (flipped_.size() > steps_.back()) {
    const Slot slot = flipped_.back();
    set(slot, !bits_[slot]);
    flipped_.pop_back();
    flipped_.pop_back();
  }
  steps_.pop_back();
}

}  // namespace heddle::order
