// Vector clocks that share what they have in common.
//
// A clock says, for every thread, how many of its stretches are known. Clocks of a run
// differ from each other in a few components, so a clock here is a row of references to
// chunks of eight components, chunks never change once made, and joining two clocks
// makes new chunks only where neither side already has the result. With eight threads
// or fewer a clock is one chunk; with ten thousand short threads the chunks of those
// that are gone are shared by all rows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/index.h"
#include "trace/event.h"

namespace heddle {

using ClockId = Index<struct ClockTag>;

class Clocks {
 public:
  explicit Clocks(std::size_t threads);

  // The clock that knows nothing.
  static constexpr ClockId zero() { return ClockId(0); }

  std::uint32_t component(ClockId clock, ThreadId thread) const {
    return chunks_[row(clock)[thread.value() / kChunk]][thread.value() % kChunk];
  }

  // The clock that knows what either one knows; one of the two where that is enough.
  ClockId join(ClockId a, ClockId b);
  // The clock that also knows `count` stretches of `thread`.
  ClockId with(ClockId clock, ThreadId thread, std::uint32_t count);

  std::size_t size() const { return rows_.size() / chunks_per_row_; }
  std::size_t memory_bytes() const;
  void shrink();

 private:
  static constexpr std::size_t kChunk = 8;
  using Chunk = std::array<std::uint32_t, kChunk>;
  using ChunkIndex = std::uint32_t;

  const ChunkIndex* row(ClockId clock) const {
    return rows_.data() + clock.value() * chunks_per_row_;
  }
  ChunkIndex join_chunks(ChunkIndex a, ChunkIndex b);
  ChunkIndex add_chunk(const Chunk& chunk);
  ClockId add_row(const std::vector<ChunkIndex>& row);

  std::size_t chunks_per_row_;
  std::vector<Chunk> chunks_;
  std::vector<ChunkIndex> rows_;
  std::vector<ChunkIndex> scratch_;
};

}  // namespace heddle
