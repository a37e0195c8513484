// The payload of an events block: events as columns of small numbers.
//
// A program runs in loops, so what a thread does next is what it did after this place
// the last time. Predictions keeps that in small tables, and an event is stored as how
// far it is from the prediction, each field in a column of its own: in a loop nearly
// every byte is 0, and zstd turns runs of zeros into nothing. The tables are empty at
// the start of each block and have a fixed size; two keys that share a slot predict
// badly, not wrongly. So every block decodes on its own, in constant memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/flat_vector.h"
#include "base/result.h"
#include "trace/binary_format.h"
#include "trace/event.h"
#include "trace/tables.h"

namespace heddle::binary {

// A site as its number plus one, so that 0 is "unknown".
inline std::uint32_t site_code(SiteId site) { return site.value() + 1; }

struct Predictions {
  static constexpr std::uint32_t kSlots = 1024;
  static std::uint32_t slot(std::uint32_t key) { return key % kSlots; }

  // Where a thread is at a place in its code: what it does there and to which object
  // hardly changes, or changes by a constant step.
  static std::uint32_t place(std::uint32_t site, std::uint32_t thread) {
    return slot(site + 37 * thread);
  }

  std::array<std::uint32_t, kSlots> last_site{};  // of a thread
  std::array<std::uint32_t, kSlots> next_site{};  // after a site
  std::array<std::uint8_t, kSlots> head{};        // at a place
  std::array<std::uint32_t, kSlots> object{};     // at a place
  std::array<std::uint64_t, kSlots> value{};      // of an object
  std::array<std::uint32_t, kSlots> valued{};     // which object that is
  std::array<std::uint64_t, kSlots> value_at{};   // seen at a place last, for other objects

  // The value that an event of this object at this place is expected to have.
  std::uint64_t expected_value(std::uint32_t of, std::uint32_t at) const {
    return valued[slot(of)] == of ? value[slot(of)] : value_at[at];
  }
  void set_value(std::uint32_t of, std::uint32_t at, std::uint64_t now) {
    value[slot(of)] = value_at[at] = now;
    valued[slot(of)] = of;
  }
};

// The head byte of an event: its kind, and which of the optional columns it has.
inline constexpr std::uint8_t kKindMask = 0x3f;
inline constexpr std::uint8_t kHasValue = 0x40;
inline constexpr std::uint8_t kHasDetail = 0x80;

// In the order in which they stand in the payload.
enum Column : std::size_t {
  kThreads,  // runs: thread, number of events - 1
  kSites,    // distance from the predicted site
  kHeads,    // one byte per event: exclusive-or with the predicted head
  kDetails,  // one byte per event that has a detail other than 0
  kObjects,  // distance from the predicted object, of kinds that have one
  kValues,   // distance from the predicted value; a read-modify-write's old value first
  kLocks,    // of a wait: the lock's number plus one
  kColumnCount,
};

class EventEncoder {
 public:
  std::size_t size() const { return size_; }
  // At most kBlockEvents in all; the ids must be defined.
  void add(std::span<const EventRecord> events);
  // Appends the payload to `payload` and starts anew.
  void take(std::vector<std::uint8_t>& payload);

 private:
  void make_room(std::size_t events);
  void give_back_room();
  void add_run(std::span<const EventRecord> events);
  void end_run();

  std::size_t size_ = 0;
  std::array<FlatVector<std::uint8_t>, kColumnCount> columns_;
  std::array<std::uint8_t*, kColumnCount> ends_{};  // while events are added
  std::uint32_t run_thread_ = 0;
  std::uint32_t run_length_ = 0;
  Predictions predictions_;
};

// Which numbers are defined in the tables, as bounds that are quick to compare with.
class EventBounds {
 public:
  explicit EventBounds(const Tables& tables);

  bool accept(const EventRecord& event) const {
    const auto kind = static_cast<std::size_t>(event.kind);
    return event.object < objects_[kind] && event.detail < details_[kind] &&
           event.thread.value() < threads_ && site_code(event.site) <= sites_ &&
           event.lock.value() + 1 <= locks_;
  }
  bool accept_thread(std::uint32_t thread) const { return thread < threads_; }
  // What is wrong with an event that was not accepted.
  std::string explain(const EventRecord& event) const;

 private:
  static constexpr std::size_t kKinds = kKindMask + 1;
  std::array<std::uint32_t, kKinds> objects_{};  // 0, so never accepted, for unknown kinds
  std::array<std::uint8_t, kKinds> details_{};
  std::uint32_t threads_;
  std::uint32_t sites_;
  std::uint32_t locks_;
};

// Replaces `events` by the `count` events of a payload of a file of that major version; the
// error is a clause that says what is wrong with it.
Result<void> decode_events(std::span<const std::uint8_t> payload, std::size_t count,
                           std::uint16_t version, const EventBounds& bounds,
                           std::vector<EventRecord>& events);

}  // namespace heddle::binary
