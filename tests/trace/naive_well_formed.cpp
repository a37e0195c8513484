#include "tests/trace/naive_well_formed.h"

#include <algorithm>
#include <set>

namespace heddle {
namespace {

using Set = std::set<ThreadId>;

bool is_blocking(EventKind kind) {
  return kind == EventKind::wait || kind == EventKind::barrier_arrive;
}

bool ends_blocking(EventKind kind) {
  return kind == EventKind::wake || kind == EventKind::timeout || kind == EventKind::barrier_leave;
}

// All sets of threads that can be the notified ones after one more event on the condition.
std::set<Set> after_notify(const std::set<Set>& choices, const Set& waiters) {
  std::set<Set> after;
  for (const Set& notified : choices) {
    if (notified == waiters) after.insert(notified);
    for (const ThreadId waiter : waiters) {
      Set more = notified;
      if (more.insert(waiter).second) after.insert(more);
    }
  }
  return after;
}

std::set<Set> after_leaving(const std::set<Set>& choices, ThreadId thread, bool notified) {
  std::set<Set> after;
  for (Set choice : choices) {
    if (choice.contains(thread) != notified) continue;
    choice.erase(thread);
    after.insert(choice);
  }
  return after;
}

}  // namespace

template <typename Predicate>
int NaiveWellFormed::count(Predicate predicate) const {
  return static_cast<int>(std::count_if(events_.begin(), events_.end(), predicate));
}

int NaiveWellFormed::count(EventKind kind, std::uint32_t object) const {
  return count([&](const EventRecord& e) { return e.kind == kind && e.object == object; });
}

const EventRecord* NaiveWellFormed::last_of(ThreadId thread) const {
  const auto found = std::find_if(events_.rbegin(), events_.rend(),
                                  [&](const EventRecord& e) { return e.thread == thread; });
  return found == events_.rend() ? nullptr : &*found;
}

bool NaiveWellFormed::blocked(ThreadId thread) const {
  const EventRecord* last = last_of(thread);
  return last != nullptr && is_blocking(last->kind);
}

bool NaiveWellFormed::may_follow(const EventRecord& event) const {
  if (!valid_detail(event.kind, event.detail) || count(EventKind::exit, 0) > 0) return false;
  if (!thread_may(event)) return false;
  const std::uint32_t object = event.object;
  switch (object_type(event.kind)) {
    case ObjectType::location: return access_may(event);
    case ObjectType::lock: return lock_may(event);
    case ObjectType::once: return once_may(event);
    default: break;
  }
  const auto semaphore_count = [&] {
    return static_cast<int>(tables_->semaphores[SemaphoreId(object)].initial) +
           count(EventKind::semaphore_post, object) - count(EventKind::semaphore_wait, object);
  };
  switch (event.kind) {
    case EventKind::wait: return held(event.thread, event.lock, false) == 1;
    case EventKind::wake:
    case EventKind::timeout: return may_stop_waiting(event);
    case EventKind::barrier_leave: return may_leave(event);
    case EventKind::semaphore_wait: return semaphore_count() > 0;
    case EventKind::failed_semaphore_wait: return semaphore_count() == 0;
    case EventKind::alloc:
      return count(EventKind::alloc, object) == 0 && count(EventKind::free, object) == 0 &&
             !region_accessed(RegionId(object));
    case EventKind::free: return count(EventKind::free, object) == 0;
    default: return true;
  }
}

bool NaiveWellFormed::thread_may(const EventRecord& event) const {
  const EventRecord* last = last_of(event.thread);
  if (count(EventKind::join, event.thread.value()) > 0) return false;
  if (last != nullptr && last->kind == EventKind::end) return false;
  if (event.kind == EventKind::begin && last != nullptr) return false;
  if (blocked(event.thread) != ends_blocking(event.kind)) return false;
  if (blocked(event.thread)) {
    return object_type(last->kind) == object_type(event.kind) && last->object == event.object;
  }
  if (object_type(event.kind) != ObjectType::thread) return true;
  const ThreadId child(event.object);
  if (child == event.thread) return false;
  if (event.kind == EventKind::join) return !blocked(child);
  return last_of(child) == nullptr && count(EventKind::fork, event.object) == 0 &&
         count(EventKind::join, event.object) == 0;
}

int NaiveWellFormed::held(ThreadId thread, LockId lock, bool as_reader) const {
  int depth = 0;
  for (const EventRecord& e : events_) {
    if (e.thread != thread) continue;
    if (e.kind == EventKind::wait && e.lock == lock && !as_reader) --depth;
    if (object_type(e.kind) != ObjectType::lock || e.object != lock.value()) continue;
    if (e.kind == (as_reader ? EventKind::reader_acquire : EventKind::acquire)) ++depth;
    if (e.kind == (as_reader ? EventKind::reader_release : EventKind::release)) --depth;
  }
  return depth;
}

int NaiveWellFormed::held_by_others(ThreadId thread, LockId lock, bool as_reader) const {
  int depth = 0;
  for (const ThreadId other : indices(tables_->threads)) {
    if (other != thread) depth += held(other, lock, as_reader);
  }
  return depth;
}

bool NaiveWellFormed::lock_may(const EventRecord& event) const {
  const LockId lock(event.object);
  const bool recursive = tables_->locks[lock].kind == LockKind::recursive;
  const int mine = held(event.thread, lock, false);
  const int others =
      held_by_others(event.thread, lock, false) + held_by_others(event.thread, lock, true);
  const int readings = held(event.thread, lock, true);
  switch (event.kind) {
    case EventKind::acquire: return others == 0 && readings == 0 && (mine == 0 || recursive);
    case EventKind::release: return mine > 0;
    case EventKind::failed_acquire: return others > 0 || (!recursive && mine + readings > 0);
    case EventKind::request: return true;
    default: return tables_->locks[lock].kind == LockKind::readers_writer && reader_may(event);
  }
}

bool NaiveWellFormed::reader_may(const EventRecord& event) const {
  const LockId lock(event.object);
  const int writers = held(event.thread, lock, false) + held_by_others(event.thread, lock, false);
  if (event.kind == EventKind::reader_acquire) return writers == 0;
  if (event.kind == EventKind::failed_reader_acquire) return writers > 0;
  return held(event.thread, lock, true) > 0;
}

bool NaiveWellFormed::may_stop_waiting(const EventRecord& event) const {
  Set waiters;
  std::set<Set> choices = {Set()};
  for (const EventRecord& e : events_) {
    if (object_type(e.kind) != ObjectType::condition || e.object != event.object) continue;
    if (e.kind == EventKind::wait) {
      waiters.insert(e.thread);
    } else if (e.kind == EventKind::notify) {
      choices = after_notify(choices, waiters);
    } else if (e.kind == EventKind::notify_all) {
      choices = {waiters};
    } else {
      choices = after_leaving(choices, e.thread, e.kind == EventKind::wake);
      waiters.erase(e.thread);
    }
  }
  return !after_leaving(choices, event.thread, event.kind == EventKind::wake).empty();
}

// Of the thread's last arrival among the first `before` events.
bool NaiveWellFormed::was_last_arriver(std::size_t before, ThreadId thread,
                                       std::uint32_t barrier) const {
  std::uint32_t arrivals = 0;
  bool last = false;
  for (std::size_t i = 0; i < before; ++i) {
    const EventRecord& e = events_[i];
    if (e.kind != EventKind::barrier_arrive || e.object != barrier) continue;
    ++arrivals;
    if (e.thread == thread) last = arrivals % tables_->barriers[BarrierId(barrier)].parties == 0;
  }
  return last;
}

bool NaiveWellFormed::may_leave(const EventRecord& event) const {
  const std::uint32_t parties = tables_->barriers[BarrierId(event.object)].parties;
  std::uint32_t arrivals = 0;
  std::uint32_t mine = 0;
  for (const EventRecord& e : events_) {
    if (e.kind != EventKind::barrier_arrive || e.object != event.object) continue;
    if (e.thread == event.thread) mine = arrivals;
    ++arrivals;
  }
  if (arrivals < (mine / parties + 1) * parties) return false;
  const bool last = was_last_arriver(events_.size(), event.thread, event.object);
  if (!last) return event.detail == 0;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const EventRecord& e = events_[i];
    if (e.kind != EventKind::barrier_leave || e.object != event.object) continue;
    if (was_last_arriver(i, e.thread, e.object) && e.detail != event.detail) return false;
  }
  return true;
}

bool NaiveWellFormed::once_may(const EventRecord& event) const {
  const bool done = count(EventKind::once_end, event.object) > 0;
  const EventRecord* runs = nullptr;
  for (const EventRecord& e : events_) {
    if (object_type(e.kind) != ObjectType::once || e.object != event.object) continue;
    if (e.kind == EventKind::once_begin) runs = &e;
    if (e.kind == EventKind::once_end || e.kind == EventKind::once_abort) runs = nullptr;
  }
  if (event.kind == EventKind::once_begin) return !done && runs == nullptr;
  if (event.kind == EventKind::once_pass) return done;
  return runs != nullptr && runs->thread == event.thread;
}

bool NaiveWellFormed::region_accessed(RegionId region) const {
  return count([&](const EventRecord& e) {
           return is_access(e.kind) && tables_->locations[LocationId(e.object)].region == region;
         }) > 0;
}

bool NaiveWellFormed::access_may(const EventRecord& event) const {
  const LocationId location(event.object);
  const RegionId region = tables_->locations[location].region;
  if (region.valid() && count(EventKind::free, region.value()) > 0) return false;
  if (!reads(event.kind) || !event.has_value) return true;
  const bool modifies = event.kind == EventKind::atomic_rmw;
  const std::uint64_t seen = modifies ? event.old_value : event.value;
  for (auto e = events_.rbegin(); e != events_.rend(); ++e) {
    if (!is_access(e->kind)) continue;
    const bool same = LocationId(e->object) == location;
    if (same && e->has_value) return e->value == seen;
    if (writes(e->kind) && (same || overlap(LocationId(e->object), location))) return true;
  }
  return true;
}

bool NaiveWellFormed::overlap(LocationId a, LocationId b) const {
  const LocationInfo& first = tables_->locations[a];
  const LocationInfo& second = tables_->locations[b];
  return first.region.valid() && first.region == second.region &&
         first.offset < second.offset + second.size && second.offset < first.offset + first.size;
}

}  // namespace heddle
