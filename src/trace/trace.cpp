#include "trace/trace.h"

#include <algorithm>

#include "base/check.h"

namespace heddle {
namespace {

template <typename T>
const T* find(const std::vector<std::pair<EventId, T>>& sorted, EventId e) {
  const auto found = std::lower_bound(sorted.begin(), sorted.end(), e,
                                      [](const auto& pair, EventId id) { return pair.first < id; });
  return found != sorted.end() && found->first == e ? &found->second : nullptr;
}

}  // namespace

LockId Trace::lock_of_wait(EventId e) const {
  const LockId* lock = find(wait_locks_, e);
  return lock != nullptr ? *lock : LockId::none();
}

std::optional<std::uint64_t> Trace::value(EventId e) const {
  if (has_value_.size() == 0 || !has_value_[e.value()]) return std::nullopt;
  return values_[has_value_.rank(e.value())];
}

std::optional<std::uint64_t> Trace::value_read(EventId e) const {
  if (!reads(kind(e))) return std::nullopt;
  if (kind(e) != EventKind::atomic_rmw) return value(e);
  const std::uint64_t* old_value = find(old_values_, e);
  return old_value != nullptr ? std::optional(*old_value) : std::nullopt;
}

EventRecord Trace::record(EventId e) const {
  EventRecord event;
  event.kind = kind(e);
  event.detail = detail(e);
  event.thread = thread(e);
  event.object = object(e);
  event.site = site(e);
  if (event.kind == EventKind::wait) event.lock = lock_of_wait(e);
  if (const auto recorded = value(e)) {
    event.has_value = true;
    event.value = *recorded;
    if (event.kind == EventKind::atomic_rmw) event.old_value = *find(old_values_, e);
  }
  return event;
}

void Trace::append(const EventRecord& event) {
  CHECK(size() < kMaxEvents && event.thread.value() < kMaxThreads);
  const EventId id =
      heads_.add(static_cast<std::uint32_t>(event.kind) |
                 static_cast<std::uint32_t>(event.detail) << 6 | event.thread.value() << 12);
  objects_.add(event.object);
  sites_.add(event.site);
  if (event.kind == EventKind::wait) wait_locks_.emplace_back(id, event.lock);
  if (event.has_value || has_value_.size() != 0) {
    while (has_value_.size() < id.value()) has_value_.push_back(false);
    has_value_.push_back(event.has_value);
  }
  if (event.has_value) {
    values_.push_back(event.value);
    if (event.kind == EventKind::atomic_rmw) old_values_.emplace_back(id, event.old_value);
  }
}

void Trace::reserve(std::size_t events) {
  heads_.reserve(events);
  objects_.reserve(events);
  sites_.reserve(events);
}

void Trace::shrink() {
  heads_.shrink();
  objects_.shrink();
  sites_.shrink();
  has_value_.shrink();
  values_.shrink_to_fit();
  old_values_.shrink_to_fit();
  wait_locks_.shrink_to_fit();
}

std::size_t Trace::event_memory_bytes() const {
  return heads_.memory_bytes() + objects_.memory_bytes() + sites_.memory_bytes() +
         has_value_.memory_bytes() + values_.capacity() * sizeof(std::uint64_t) +
         old_values_.capacity() * sizeof(old_values_[0]) +
         wait_locks_.capacity() * sizeof(wait_locks_[0]);
}

}  // namespace heddle
