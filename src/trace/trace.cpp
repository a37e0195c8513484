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

std::string thread_note(const std::string& thread) { return "thread " + thread; }

}  // namespace

std::string Metadata::thread_name(const std::string& thread) const {
  const auto found = notes.find(thread_note(thread));
  return found != notes.end() ? found->second : std::string();
}

void Metadata::set_thread_name(const std::string& thread, std::string name) {
  notes[thread_note(thread)] = std::move(name);
}

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

void Trace::append(std::span<const EventRecord> events) {
  CHECK(events.size() <= kMaxEvents - size());
  const bool any_value = std::any_of(events.begin(), events.end(),
                                     [](const EventRecord& event) { return event.has_value; });
  if (any_value || has_value_.size() != 0) append_values(events);
  append_heads(events);
}

void Trace::append_heads(std::span<const EventRecord> events) {
  EventId id(static_cast<std::uint32_t>(size()));
  std::uint32_t* head = heads_.extend(events.size());
  std::uint32_t* object = objects_.extend(events.size());
  SiteId* site = sites_.extend(events.size());
  std::uint32_t threads = 0;
  for (const EventRecord& event : events) {
    threads |= event.thread.value();
    *head++ = static_cast<std::uint32_t>(event.kind) |
              static_cast<std::uint32_t>(event.detail) << 6 | event.thread.value() << 12;
    *object++ = event.object;
    *site++ = event.site;
    if (event.kind == EventKind::wait) wait_locks_.emplace_back(id, event.lock);
    ++id;
  }
  CHECK(threads < kMaxThreads);
}

void Trace::append_values(std::span<const EventRecord> events) {
  EventId id(static_cast<std::uint32_t>(size()));
  while (has_value_.size() < size()) has_value_.push_back(false);

  for (const EventRecord& event : events) {
    has_value_.push_back(event.has_value);
    if (event.has_value) {
      values_.push_back(event.value);
      if (event.kind == EventKind::atomic_rmw) old_values_.emplace_back(id, event.old_value);
    }
    ++id;
  }
}

void Trace::reserve(std::size_t events) {
  heads_.reserve(events);
  objects_.reserve(events);
  sites_.reserve(events);
}

void Trace::shrink() {
  heads_.shrink_to_fit();
  objects_.shrink_to_fit();
  sites_.shrink_to_fit();
  has_value_.shrink();
  values_.shrink_to_fit();
  old_values_.shrink_to_fit();
  wait_locks_.shrink_to_fit();
}

std::size_t Trace::event_memory_bytes() const {
  return heads_.capacity() * sizeof(heads_[0]) + objects_.capacity() * sizeof(objects_[0]) +
         sites_.capacity() * sizeof(sites_[0]) + has_value_.memory_bytes() +
         values_.capacity() * sizeof(std::uint64_t) +
         old_values_.capacity() * sizeof(old_values_[0]) +
         wait_locks_.capacity() * sizeof(wait_locks_[0]);
}

}  // namespace heddle
