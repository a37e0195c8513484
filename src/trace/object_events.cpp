#include "trace/object_events.h"

namespace heddle {
namespace {

// Calls f(type, object) for each object that the event is about.
template <typename F>
void for_each_object(const Trace& trace, EventId e, F f) {
  const EventKind kind = trace.kind(e);
  if (object_type(kind) != ObjectType::none) f(object_type(kind), trace.object(e));
  if (kind == EventKind::wait) f(ObjectType::lock, trace.lock_of_wait(e).value());
}

}  // namespace

ObjectEvents::ObjectEvents(const Trace& trace) {
  std::size_t slots = 0;
  for (std::size_t type = 1; type < kObjectTypeCount; ++type) {
    first_slot_[type] = slots;
    slots += trace.tables.object_count(static_cast<ObjectType>(type));
  }
  // Counting sort: begin_[s + 1] counts, then becomes where slot s is filled next.
  begin_.assign(slots + 2, 0);
  for (EventId e : trace.events()) {
    for_each_object(trace, e,
                    [&](ObjectType type, std::uint32_t id) { ++begin_[slot(type, id) + 2]; });
  }
  for (std::size_t s = 2; s < begin_.size(); ++s) begin_[s] += begin_[s - 1];
  events_.resize(begin_.back());
  for (EventId e : trace.events()) {
    for_each_object(trace, e, [&](ObjectType type, std::uint32_t id) {
      events_[begin_[slot(type, id) + 1]++] = e;
    });
  }
}

std::span<const EventId> ObjectEvents::of(ObjectType type, std::uint32_t object) const {
  const std::size_t s = slot(type, object);
  return {events_.data() + begin_[s], events_.data() + begin_[s + 1]};
}

std::size_t ObjectEvents::memory_bytes() const {
  return begin_.capacity() * sizeof(std::uint32_t) + events_.capacity() * sizeof(EventId);
}

}  // namespace heddle
