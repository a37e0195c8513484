#include "trace/counts.h"

namespace heddle {
namespace {

// Marks element i, growing the vector as needed; false if it was marked already.
bool mark(std::vector<bool>& seen, std::uint32_t i) {
  if (i >= seen.size()) seen.resize(i + 1, false);
  const bool is_new = !seen[i];
  seen[i] = true;
  return is_new;
}

}  // namespace

void TraceCounts::add(const EventRecord& event) {
  ++events_;
  ++by_kind_[static_cast<std::size_t>(event.kind)];
  add_thread(event.thread);
  switch (object_type(event.kind)) {
    case ObjectType::location: return add_access(LocationId(event.object), event.thread);
    case ObjectType::lock: return add_lock(LockId(event.object));
    case ObjectType::thread: return add_thread(ThreadId(event.object));
    case ObjectType::condition:
      if (event.kind == EventKind::wait) add_lock(event.lock);
      return;
    default: return;
  }
}

void TraceCounts::add_thread(ThreadId thread) { threads_ += mark(thread_seen_, thread.value()); }

void TraceCounts::add_lock(LockId lock) { locks_ += mark(lock_seen_, lock.value()); }

void TraceCounts::add_access(LocationId location, ThreadId thread) {
  if (location.value() >= accessed_by_.size()) accessed_by_.resize(location.value() + 1, kNobody);
  std::uint32_t& accessed_by = accessed_by_[location.value()];
  if (accessed_by == kNobody) {
    accessed_by = thread.value();
    ++variables_;
  } else if (accessed_by != thread.value() && accessed_by != kShared) {
    accessed_by = kShared;
    ++shared_variables_;
  }
}

std::size_t TraceCounts::lock_events() const {
  return of(EventKind::acquire) + of(EventKind::release) + of(EventKind::reader_acquire) +
         of(EventKind::reader_release) + of(EventKind::failed_acquire) +
         of(EventKind::failed_reader_acquire);
}

std::size_t TraceCounts::accesses() const {
  return of(EventKind::read) + of(EventKind::write) + of(EventKind::atomic_read) +
         of(EventKind::atomic_write) + of(EventKind::atomic_rmw);
}

std::size_t TraceCounts::wait_notify_events() const {
  return of(EventKind::wait) + of(EventKind::notify) + of(EventKind::notify_all);
}

}  // namespace heddle
