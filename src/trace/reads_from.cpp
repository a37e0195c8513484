#include "trace/reads_from.h"

namespace heddle {

ReadsFrom::ReadsFrom(const Trace& trace, const Cells& cells)
    : final_write_(cells.size(), kInitialWrite) {
  for (EventId e : trace.events()) {
    const EventKind kind = trace.kind(e);
    is_read_.push_back(reads(kind));
    if (reads(kind)) add_read(cells.cells_of(trace.location(e)));
    if (writes(kind)) {
      for (CellId cell : cells.cells_of(trace.location(e))) final_write_[cell] = e;
    }
  }
  part_begin_.push_back(static_cast<std::uint32_t>(parts_.size()));
  is_read_.shrink();
  seen_.shrink_to_fit();
  part_begin_.shrink_to_fit();
  parts_.shrink_to_fit();
}

void ReadsFrom::add_read(IndexRange<CellId> cells) {
  const EventId first = final_write_[*cells.begin()];
  bool same = true;
  for (CellId cell : cells) same = same && final_write_[cell] == first;
  if (same) {
    seen_.push_back(first.value());
    return;
  }
  seen_.push_back(kParted + static_cast<std::uint32_t>(part_begin_.size()));
  part_begin_.push_back(static_cast<std::uint32_t>(parts_.size()));
  for (CellId cell : cells) parts_.push_back(final_write_[cell]);
}

std::span<const EventId> ReadsFrom::parts(EventId read) const {
  const std::uint32_t seen = seen_[is_read_.rank(read.value())];
  if (!is_parted(seen)) return {};
  const std::uint32_t index = seen - kParted;
  return {parts_.data() + part_begin_[index], parts_.data() + part_begin_[index + 1]};
}

std::size_t ReadsFrom::memory_bytes() const {
  return is_read_.memory_bytes() + seen_.capacity() * sizeof(std::uint32_t) +
         part_begin_.capacity() * sizeof(std::uint32_t) + parts_.capacity() * sizeof(EventId) +
         final_write_.memory_bytes();
}

}  // namespace heddle
