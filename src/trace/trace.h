// A trace: the totally ordered events of one run, with names and sites.
//
// Structure of arrays: kind, detail and thread share one 32-bit word (6 + 6 + 20
// bits), object and site have 32 bits each, so an event is 12 bytes. What only some
// events have is kept apart: values densely behind a rank vector, the lock of a wait
// in a short sorted list. Appending never allocates per event.
//
// The two implicit events that the papers use are not stored: the initial write of
// every location is kInitialWrite, and the final read of location l is final_read(l),
// a number past the last event.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/flat_vector.h"
#include "base/index.h"
#include "base/rank_bits.h"
#include "trace/event.h"
#include "trace/tables.h"

namespace heddle {

// Notes of a recorded run that others than the recorder know: which build of the program it was,
// and which memory several threads touch, where the rest is left out.
inline constexpr char kBuildNote[] = "build";
inline constexpr char kSharedNote[] = "shared memory";

// What is known of the run as a whole.
struct Metadata {
  std::vector<std::string> command_line;
  std::optional<std::int32_t> exit_status;  // 128 + n for death by signal n, as shells say it
  std::optional<std::uint64_t> seed;
  std::string clock;                                // "virtual" or "real"; "" when unknown
  std::optional<std::int64_t> started_nanoseconds;  // since 1970
  std::optional<std::uint64_t> duration_nanoseconds;
  std::map<std::string, std::string> notes;  // anything else, by name

  // What the program calls a thread, given its name in the tables; "" if that is not known.
  std::string thread_name(const std::string& thread) const;
  void set_thread_name(const std::string& thread, std::string name);

  friend bool operator==(const Metadata&, const Metadata&) = default;
};

// An event number has to leave room for the final reads and kInitialWrite.
inline constexpr std::size_t kMaxEvents = std::size_t{1} << 31;

class Trace {
 public:
  Tables tables;
  Metadata metadata;

  std::size_t size() const { return heads_.size(); }
  bool empty() const { return heads_.empty(); }
  IndexRange<EventId> events() const { return indices<EventId>(size()); }

  EventKind kind(EventId e) const { return static_cast<EventKind>(heads_[e.value()] & 0x3f); }
  std::uint8_t detail(EventId e) const { return heads_[e.value()] >> 6 & 0x3f; }
  ThreadId thread(EventId e) const { return ThreadId(heads_[e.value()] >> 12); }
  MemoryOrder order(EventId e) const { return static_cast<MemoryOrder>(detail(e)); }
  SiteId site(EventId e) const { return sites_[e.value()]; }

  // The object's number in the id space of object_type(kind(e)), and the same typed.
  std::uint32_t object(EventId e) const { return objects_[e.value()]; }
  LocationId location(EventId e) const { return LocationId(objects_[e.value()]); }
  LockId lock(EventId e) const { return LockId(objects_[e.value()]); }
  ThreadId other_thread(EventId e) const { return ThreadId(objects_[e.value()]); }
  ConditionId condition(EventId e) const { return ConditionId(objects_[e.value()]); }
  SemaphoreId semaphore(EventId e) const { return SemaphoreId(objects_[e.value()]); }
  BarrierId barrier(EventId e) const { return BarrierId(objects_[e.value()]); }
  OnceId once(EventId e) const { return OnceId(objects_[e.value()]); }
  RegionId region(EventId e) const { return RegionId(objects_[e.value()]); }
  DescriptorId descriptor(EventId e) const { return DescriptorId(objects_[e.value()]); }

  // The lock that a wait gives up.
  LockId lock_of_wait(EventId e) const;
  // The value read or written; for a read-modify-write the one written.
  std::optional<std::uint64_t> value(EventId e) const;
  // The value that a read or read-modify-write saw.
  std::optional<std::uint64_t> value_read(EventId e) const;

  EventRecord record(EventId e) const;
  void append(const EventRecord& event) { append({&event, 1}); }
  void append(std::span<const EventRecord> events);
  void reserve(std::size_t events);
  // Gives back what the arrays hold beyond their size.
  void shrink();

  EventId final_read(LocationId location) const {
    return EventId(static_cast<std::uint32_t>(size()) + location.value());
  }
  bool is_final_read(EventId e) const { return e != kInitialWrite && e.value() >= size(); }
  LocationId location_of_final_read(EventId e) const {
    return LocationId(e.value() - static_cast<std::uint32_t>(size()));
  }

  std::size_t event_memory_bytes() const;

  friend bool operator==(const Trace&, const Trace&) = default;

 private:
  void append_heads(std::span<const EventRecord> events);
  void append_values(std::span<const EventRecord> events);

  // By event.
  FlatVector<std::uint32_t> heads_;  // kind | detail << 6 | thread << 12
  FlatVector<std::uint32_t> objects_;
  FlatVector<SiteId> sites_;
  RankBits has_value_;  // as long as the trace, or empty while no event has a value
  FlatVector<std::uint64_t> values_;
  std::vector<std::pair<EventId, std::uint64_t>> old_values_;  // of read-modify-writes
  std::vector<std::pair<EventId, LockId>> wait_locks_;
};

}  // namespace heddle
