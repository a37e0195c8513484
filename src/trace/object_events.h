// For every object, the events about it in the order of the trace.
//
// One array holds them all, object after object, with the beginning of each object's
// part beside it. A wait stands both with its condition and with the lock that it
// gives up; a fork and a join stand with the thread that is forked or joined.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "trace/trace.h"

namespace heddle {

class ObjectEvents {
 public:
  explicit ObjectEvents(const Trace& trace);

  std::span<const EventId> of(ObjectType type, std::uint32_t object) const;
  std::span<const EventId> of(LocationId id) const { return of(ObjectType::location, id.value()); }
  std::span<const EventId> of(LockId id) const { return of(ObjectType::lock, id.value()); }
  std::span<const EventId> of(ConditionId id) const {
    return of(ObjectType::condition, id.value());
  }

  std::size_t memory_bytes() const;

 private:
  std::size_t slot(ObjectType type, std::uint32_t object) const {
    return first_slot_[static_cast<std::size_t>(type)] + object;
  }

  std::array<std::size_t, kObjectTypeCount> first_slot_{};
  std::vector<std::uint32_t> begin_;  // per slot, and one more
  std::vector<EventId> events_;
};

}  // namespace heddle
