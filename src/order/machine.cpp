#include "order/machine.h"

#include <algorithm>

#include "base/check.h"

namespace heddle::order {

Machine::Machine(const Facts& facts)
    : facts_(facts),
      done_(facts.thread_count(), 0),
      locks_(trace().tables.locks.size()),
      conditions_(trace().tables.conditions.size()),
      barriers_(trace().tables.barriers.size()),
      onces_(trace().tables.onces.size()) {
  const std::size_t cells = facts.derived().cells.size();
  last_version_.reserve(cells);
  for (CellId cell : indices<CellId>(cells)) last_version_.add(Facts::initial_version(cell));
  for (const SemaphoreInfo& semaphore : trace().tables.semaphores) counts_.add(semaphore.initial);
}

std::uint32_t Machine::arrival_of(BarrierId barrier, ThreadId thread) const {
  for (const auto& [who, arrival] : barriers_[barrier].inside) {
    if (who == thread) return arrival;
  }
  return kNever;
}

std::vector<EventId> Machine::sequence() const {
  std::vector<EventId> result;
  result.reserve(trail_.size());
  for (const Step& step : trail_) result.push_back(step.event);
  return result;
}

// --- What may come next ---

bool Machine::can_happen(EventId e) const { return thread_can_go_on(e) && object_allows(e, false); }

bool Machine::can_be_asked(EventId e) const {
  return !question_.valid() && thread_can_go_on(e) && object_allows(e, true);
}

bool Machine::thread_can_go_on(EventId e) const {
  const ThreadId thread = trace().thread(e);
  if (exited_ || (question_.valid() && trace().thread(question_) == thread)) return false;
  const EventId fork = facts_.fork_of(thread);
  return !fork.valid() || contains(fork);
}

bool Machine::object_allows(EventId e, bool free) const {
  const EventKind kind = trace().kind(e);
  switch (object_type(kind)) {
    case ObjectType::thread: return kind == EventKind::fork || join_allows(trace().other_thread(e));
    case ObjectType::lock: return lock_allows(e, free);
    case ObjectType::condition: return condition_allows(e, free);
    case ObjectType::semaphore: {
      const bool positive = counts_[trace().semaphore(e)] > 0;
      if (kind == EventKind::semaphore_wait) return positive || (free && trace().detail(e) != 0);
      return kind != EventKind::failed_semaphore_wait || !positive || free;
    }
    case ObjectType::barrier: return barrier_allows(e, free);
    case ObjectType::once: return once_allows(e, free);
    case ObjectType::descriptor: {
      const EventId previous = facts_.previous_io(e);
      return free || !previous.valid() || contains(previous);
    }
    case ObjectType::region: return kind == EventKind::alloc || life_allows(trace().region(e));
    case ObjectType::location: return access_allows(e, free);
    case ObjectType::none: return true;
  }
  return true;
}

// A thread that ended with the event in question might go on after another outcome of it.
bool Machine::join_allows(ThreadId thread) const {
  if (question_.valid() && trace().thread(question_) == thread) return false;
  const EventId fork = facts_.fork_of(thread);
  return (!fork.valid() || contains(fork)) && done(thread) == facts_.length(thread);
}

// Whether somebody's holding of the lock keeps the acquire from succeeding.
bool Machine::excluded(EventId acquire, bool as_reader) const {
  const LockId id = trace().lock(acquire);
  const Lock& lock = locks_[id];
  const bool enters_again = trace().tables.locks[id].kind == LockKind::recursive &&
                            lock.writer == trace().thread(acquire);
  return (lock.writer.valid() && !enters_again) || (!as_reader && lock.readers > 0);
}

bool Machine::lock_allows(EventId e, bool free) const {
  switch (trace().kind(e)) {
    case EventKind::acquire: return !excluded(e, false) || (free && trace().detail(e) != 0);
    case EventKind::reader_acquire: return !excluded(e, true) || (free && trace().detail(e) != 0);
    case EventKind::failed_acquire: return free || excluded(e, false);
    case EventKind::failed_reader_acquire: return free || excluded(e, true);
    default: return true;
  }
}

bool Machine::condition_allows(EventId e, bool free) const {
  const WaitTokens& tokens = conditions_[trace().condition(e)];
  const ThreadId thread = trace().thread(e);
  switch (trace().kind(e)) {
    case EventKind::wake: return tokens.may_wake(thread);
    case EventKind::timeout:
      return tokens.may_time_out(thread) || (free && tokens.may_wake(thread));
    default: return true;
  }
}

bool Machine::barrier_allows(EventId e, bool free) const {
  if (trace().kind(e) == EventKind::barrier_arrive) return true;
  const BarrierId id = trace().barrier(e);
  const std::uint32_t parties = std::max(1u, trace().tables.barriers[id].parties);
  const std::uint32_t arrival = arrival_of(id, trace().thread(e));
  if (arrival == kNever || barriers_[id].arrivals / parties <= arrival / parties) return false;
  if (free || !facts_.reports_serial(id)) return true;
  return (arrival % parties == parties - 1) == (trace().detail(e) != 0);
}

bool Machine::once_allows(EventId e, bool free) const {
  const Once& once = onces_[trace().once(e)];
  switch (trace().kind(e)) {
    case EventKind::once_begin: return !once.runner.valid() && (!once.done || free);
    case EventKind::once_pass: return !once.runner.valid() && (once.done || free);
    default: return true;
  }
}

bool Machine::life_allows(RegionId region) const {
  if (!region.valid()) return true;
  const EventId alloc = facts_.alloc_of(region);
  const EventId free = facts_.free_of(region);
  return (!alloc.valid() || contains(alloc)) && (!free.valid() || !contains(free));
}

bool Machine::access_allows(EventId e, bool free) const {
  if (!life_allows(facts_.region_of(e))) return false;
  if (free || !reads(trace().kind(e))) return true;
  for (CellId cell : facts_.cells(e)) {
    const VersionId version = last_version_[cell];
    const EventId writer = facts_.writer(version);
    if (question_.valid() && writer == question_) return false;
    if (!facts_.sees_the_same(e, cell, version)) return false;
  }
  return true;
}

// --- Steps ---

void Machine::advance(EventId e) {
  trail_.push_back({e, question_, static_cast<std::uint32_t>(versions_.size()),
                    static_cast<std::uint32_t>(rows_.size())});
  const ThreadId thread = trace().thread(e);
  std::uint32_t& done = done_[thread.value()];
  mix(0, thread.value(), done);
  mix(0, thread.value(), ++done);
}

void Machine::step(EventId e) {
  advance(e);
  apply(e);
}

void Machine::ask(EventId e) {
  advance(e);
  question_ = e;
  if (is_access(trace().kind(e))) apply_to_memory(e);
}

void Machine::apply(EventId e) {
  switch (object_type(trace().kind(e))) {
    case ObjectType::location: return apply_to_memory(e);
    case ObjectType::lock: return apply_to_lock(e);
    case ObjectType::condition: return apply_to_condition(e);
    case ObjectType::semaphore:
      if (trace().kind(e) == EventKind::semaphore_post) ++counts_[trace().semaphore(e)];
      if (trace().kind(e) == EventKind::semaphore_wait) --counts_[trace().semaphore(e)];
      return;
    case ObjectType::barrier: return apply_to_barrier(e);
    case ObjectType::once: return apply_to_once(e);
    default:
      if (trace().kind(e) == EventKind::exit) exited_ = true;
  }
}

void Machine::apply_to_memory(EventId e) {
  if (!writes(trace().kind(e))) return;
  for (CellId cell : facts_.cells(e)) {
    const VersionId version = facts_.version(e, cell);
    versions_.emplace_back(cell, last_version_[cell]);
    mix(1, cell.value(), last_version_[cell].value());
    mix(1, cell.value(), version.value());
    last_version_[cell] = version;
  }
}

void Machine::take(LockId id, ThreadId thread, bool as_reader) {
  Lock& lock = locks_[id];
  if (as_reader) {
    ++lock.readers;
  } else {
    lock.writer = thread;
    ++lock.depth;
  }
}

void Machine::give_up(LockId id, ThreadId thread) {
  Lock& lock = locks_[id];
  if (lock.writer != thread) {
    --lock.readers;
  } else if (--lock.depth == 0) {
    lock.writer = ThreadId::none();
  }
}

void Machine::apply_to_lock(EventId e) {
  const LockId lock = trace().lock(e);
  switch (trace().kind(e)) {
    case EventKind::acquire: return take(lock, trace().thread(e), false);
    case EventKind::reader_acquire: return take(lock, trace().thread(e), true);
    case EventKind::release:
    case EventKind::reader_release: return give_up(lock, trace().thread(e));
    default: return;
  }
}

void Machine::apply_to_condition(EventId e) {
  const ConditionId id = trace().condition(e);
  WaitTokens& tokens = conditions_[id];
  const ThreadId thread = trace().thread(e);
  mix_row(id);
  rows_.push_back(tokens);
  switch (trace().kind(e)) {
    case EventKind::wait:
      if (const LockId lock = trace().lock_of_wait(e); lock.valid()) {
        trail_.back().number = locks_[lock].writer == thread ? 1 : 0;
        give_up(lock, thread);
      }
      tokens.wait(thread);
      break;
    case EventKind::wake: tokens.wake(thread); break;
    case EventKind::timeout: tokens.time_out(thread); break;
    case EventKind::notify_all: tokens.notify_all(); break;
    default: tokens.notify();
  }
  mix_row(id);
}

void Machine::apply_to_barrier(EventId e) {
  Barrier& barrier = barriers_[trace().barrier(e)];
  const ThreadId thread = trace().thread(e);
  const std::uint64_t object = std::uint64_t{trace().object(e)} << 32 | thread.value();
  if (trace().kind(e) == EventKind::barrier_arrive) {
    mix(2, object, barrier.arrivals);
    barrier.inside.emplace_back(thread, barrier.arrivals++);
  } else {
    trail_.back().number = arrival_of(trace().barrier(e), thread);
    mix(2, object, trail_.back().number);
    std::erase(barrier.inside, std::pair(thread, trail_.back().number));
  }
}

void Machine::apply_to_once(EventId e) {
  Once& once = onces_[trace().once(e)];
  const EventKind kind = trace().kind(e);
  if (kind == EventKind::once_begin) once.runner = trace().thread(e);
  if (kind == EventKind::once_end) once.done = true;
  if (kind == EventKind::once_end || kind == EventKind::once_abort) {
    once.runner = ThreadId::none();
  }
}

void Machine::forget_past() {
  trail_.clear();
  versions_.clear();
  rows_.clear();
}

// --- Taking back ---

void Machine::take_back() {
  const Step step = trail_.back();
  trail_.pop_back();
  const ThreadId thread = trace().thread(step.event);
  std::uint32_t& done = done_[thread.value()];
  mix(0, thread.value(), done);
  mix(0, thread.value(), --done);
  const bool was_asked = question_ == step.event;
  question_ = step.question;
  while (versions_.size() > step.saved_versions) {
    const auto [cell, version] = versions_.back();
    mix(1, cell.value(), last_version_[cell].value());
    mix(1, cell.value(), version.value());
    last_version_[cell] = version;
    versions_.pop_back();
  }
  if (!was_asked) revert(step);
}

void Machine::revert(const Step& step) {
  const EventId e = step.event;
  switch (object_type(trace().kind(e))) {
    case ObjectType::lock: return revert_lock(e, step);
    case ObjectType::condition: return revert_condition(e, step);
    case ObjectType::semaphore:
      if (trace().kind(e) == EventKind::semaphore_post) --counts_[trace().semaphore(e)];
      if (trace().kind(e) == EventKind::semaphore_wait) ++counts_[trace().semaphore(e)];
      return;
    case ObjectType::barrier: return revert_barrier(e, step);
    case ObjectType::once: return revert_once(e, step);
    default:
      if (trace().kind(e) == EventKind::exit) exited_ = false;
  }
}

void Machine::revert_lock(EventId e, const Step&) {
  const LockId lock = trace().lock(e);
  switch (trace().kind(e)) {
    case EventKind::acquire:
    case EventKind::reader_acquire: return give_up(lock, trace().thread(e));
    case EventKind::release: return take(lock, trace().thread(e), false);
    case EventKind::reader_release: return take(lock, trace().thread(e), true);
    default: return;
  }
}

void Machine::revert_condition(EventId e, const Step& step) {
  const ConditionId id = trace().condition(e);
  mix_row(id);
  conditions_[id] = std::move(rows_.back());
  rows_.pop_back();
  mix_row(id);
  if (trace().kind(e) == EventKind::wait && trace().lock_of_wait(e).valid()) {
    take(trace().lock_of_wait(e), trace().thread(e), step.number == 0);
  }
}

void Machine::revert_barrier(EventId e, const Step& step) {
  Barrier& barrier = barriers_[trace().barrier(e)];
  const ThreadId thread = trace().thread(e);
  const std::uint64_t object = std::uint64_t{trace().object(e)} << 32 | thread.value();
  if (trace().kind(e) == EventKind::barrier_arrive) {
    mix(2, object, --barrier.arrivals);
    std::erase(barrier.inside, std::pair(thread, barrier.arrivals));
  } else {
    mix(2, object, step.number);
    barrier.inside.emplace_back(thread, step.number);
  }
}

void Machine::revert_once(EventId e, const Step&) {
  Once& once = onces_[trace().once(e)];
  switch (trace().kind(e)) {
    case EventKind::once_begin: once.runner = ThreadId::none(); break;
    case EventKind::once_end:
      once.done = false;
      once.runner = trace().thread(e);
      break;
    case EventKind::once_abort: once.runner = trace().thread(e); break;
    default: break;
  }
}

// --- The hash ---

namespace {

std::uint64_t scramble(std::uint64_t z) {
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

}  // namespace

void Machine::mix(std::uint32_t kind, std::uint64_t object, std::uint64_t value) {
  const std::uint64_t key = scramble(object * 8 + kind + 0x9e3779b97f4a7c15);
  hash_.first ^= scramble(key + value);
  hash_.second ^= scramble((key ^ 0xd1b54a32d192ed03) + value * 0x9e3779b97f4a7c15);
}

void Machine::mix_row(ConditionId condition) {
  std::uint64_t position = 0;
  for (ThreadId token : conditions_[condition].row()) {
    mix(3, std::uint64_t{condition.value()} << 32 | position++, token.value());
  }
}

}  // namespace heddle::order
