// Reads-from: for each read, the write whose value it saw.
//
// Nearly always that is one write (or the initial one, kInitialWrite). A read that
// overlaps several writes of other sizes sees a different one in different cells; its
// parts then say which.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/rank_bits.h"
#include "trace/cells.h"
#include "trace/trace.h"

namespace heddle {

class ReadsFrom {
 public:
  ReadsFrom(const Trace& trace, const Cells& cells);

  // The one write that the read saw whole, or none if its cells come from several.
  EventId operator[](EventId read) const {
    const std::uint32_t seen = seen_[is_read_.rank(read.value())];
    return is_parted(seen) ? EventId::none() : EventId(seen);
  }

  // The same cell by cell, in the order of Cells::cells_of, for a read of several writes.
  std::span<const EventId> parts(EventId read) const;

  // The last write of each cell when the trace ends: what its final read sees.
  EventId final_write(CellId cell) const { return final_write_[cell]; }

  std::size_t memory_bytes() const;

 private:
  static constexpr std::uint32_t kParted = 0x80000000;
  static bool is_parted(std::uint32_t seen) {
    return seen >= kParted && seen != kInitialWrite.value();
  }
  void add_read(IndexRange<CellId> cells);

  RankBits is_read_;
  std::vector<std::uint32_t> seen_;        // per read: an event, or kParted + index in part_begin_
  std::vector<std::uint32_t> part_begin_;  // per parted read: its first entry in parts_
  std::vector<EventId> parts_;
  Table<CellId, EventId> final_write_;
};

}  // namespace heddle
