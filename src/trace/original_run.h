// What a trace did, in the form in which the reordering checker asks for it.
//
// Found by replaying the trace event by event in the plainest way: which write each
// read saw, who forked whom, which system call followed which. It shares no code with
// the derived arrays of an engine, so that one can be tested against the other.
//
// Memory is looked at byte by byte. Bytes of a region that no location of the trace
// tells apart are read and written together always, so they are kept as one `piece`: the
// regions are cut at every first and last byte of a location and nowhere else.
//
// The trace has to be well-formed and has to outlive the object.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "trace/trace.h"

namespace heddle {

using PieceId = Index<struct PieceTag>;

class OriginalRun {
 public:
  explicit OriginalRun(const Trace& trace);

  const Trace& trace() const { return *trace_; }
  std::size_t thread_count() const { return events_of_.size(); }
  std::size_t piece_count() const { return piece_count_; }

  const std::vector<EventId>& events_of(ThreadId thread) const { return events_of_[thread]; }
  std::uint32_t index_in_thread(EventId e) const { return index_in_thread_[e]; }
  // Each of these is EventId::none() when there is no such event.
  EventId fork_of(ThreadId thread) const { return fork_of_[thread]; }
  EventId alloc_of(RegionId region) const { return alloc_of_[region]; }
  EventId free_of(RegionId region) const { return free_of_[region]; }
  EventId previous_io(EventId e) const { return previous_io_[e]; }
  // Whether some thread learned that it was, or was not, the last to arrive.
  bool reports_serial(BarrierId barrier) const { return reports_serial_[barrier]; }

  // The location that an access or a final read is about, and the pieces of a location.
  LocationId location_of(EventId e) const;
  const std::vector<PieceId>& pieces_of(LocationId location) const { return pieces_of_[location]; }
  // The write that the read (or final read) saw in its location's i-th piece.
  EventId seen(EventId read, std::size_t i) const;

  // What the read saw in its location's i-th piece, and what the write left in a piece, where
  // the trace tells: by the value recorded with it or, for a write without one, by the value
  // recorded with a read that saw it.
  std::optional<std::uint64_t> value_seen(EventId read, std::size_t i) const;
  std::optional<std::uint64_t> value_left(EventId write, PieceId piece) const;

  // "event 7 (T1 w x)", "the initial write", "the final read of x".
  std::string describe(EventId e) const;

 private:
  void cut_into_pieces();
  void cut_region(const std::vector<LocationId>& locations);
  void note_order(EventId e);
  void note_object(EventId e);
  void note_memory(EventId e);
  void note_value_left(EventId write, PieceId piece, std::optional<std::uint64_t> value);
  std::optional<std::uint64_t> part(LocationId location, std::size_t i,
                                    std::optional<std::uint64_t> value) const;

  const Trace* trace_;
  Table<ThreadId, std::vector<EventId>> events_of_;
  Table<EventId, std::uint32_t> index_in_thread_;
  Table<ThreadId, EventId> fork_of_;
  Table<RegionId, EventId> alloc_of_;
  Table<RegionId, EventId> free_of_;
  Table<DescriptorId, EventId> last_io_;
  Table<EventId, EventId> previous_io_;
  Table<BarrierId, bool> reports_serial_;

  std::size_t piece_count_ = 0;
  Table<LocationId, std::vector<PieceId>> pieces_of_;
  Table<PieceId, std::pair<std::uint64_t, std::uint64_t>> piece_bytes_;  // first, past the last
  Table<PieceId, EventId> last_write_;
  Table<EventId, std::vector<EventId>> seen_;  // per piece of the location
  std::map<std::pair<EventId, PieceId>, std::optional<std::uint64_t>> values_left_;
};

}  // namespace heddle
