#include "trace/clocks.h"

#include <algorithm>

namespace heddle {

Clocks::Clocks(std::size_t threads)
    : chunks_per_row_((threads + kChunk - 1) / kChunk + (threads == 0 ? 1 : 0)),
      chunks_(1, Chunk{}),
      rows_(chunks_per_row_, 0) {}

ClockId Clocks::join(ClockId a, ClockId b) {
  if (a == b) return a;
  scratch_.resize(chunks_per_row_);
  bool is_a = true;
  bool is_b = true;
  for (std::size_t i = 0; i < chunks_per_row_; ++i) {
    const ChunkIndex from_a = row(a)[i];
    const ChunkIndex from_b = row(b)[i];
    scratch_[i] = join_chunks(from_a, from_b);
    is_a = is_a && scratch_[i] == from_a;
    is_b = is_b && scratch_[i] == from_b;
  }
  if (is_a) return a;
  return is_b ? b : add_row(scratch_);
}

ClockId Clocks::with(ClockId clock, ThreadId thread, std::uint32_t count) {
  if (component(clock, thread) >= count) return clock;
  scratch_.assign(row(clock), row(clock) + chunks_per_row_);
  ChunkIndex& index = scratch_[thread.value() / kChunk];
  Chunk chunk = chunks_[index];
  chunk[thread.value() % kChunk] = count;
  index = add_chunk(chunk);
  return add_row(scratch_);
}

Clocks::ChunkIndex Clocks::join_chunks(ChunkIndex a, ChunkIndex b) {
  if (a == b) return a;
  Chunk joined;
  for (std::size_t i = 0; i < kChunk; ++i) joined[i] = std::max(chunks_[a][i], chunks_[b][i]);
  if (joined == chunks_[a]) return a;
  return joined == chunks_[b] ? b : add_chunk(joined);
}

Clocks::ChunkIndex Clocks::add_chunk(const Chunk& chunk) {
  chunks_.push_back(chunk);
  return static_cast<ChunkIndex>(chunks_.size() - 1);
}

ClockId Clocks::add_row(const std::vector<ChunkIndex>& row) {
  rows_.insert(rows_.end(), row.begin(), row.end());
  return ClockId(static_cast<std::uint32_t>(size() - 1));
}

std::size_t Clocks::memory_bytes() const {
  return chunks_.capacity() * sizeof(Chunk) + rows_.capacity() * sizeof(ChunkIndex);
}

void Clocks::shrink() {
  chunks_.shrink_to_fit();
  rows_.shrink_to_fit();
}

}  // namespace heddle
