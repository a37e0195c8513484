#include "order/version_values.h"

namespace heddle::order {
namespace {

constexpr std::uint32_t kBytesOfValue = 8;
constexpr std::uint32_t kBitsPerByte = 8;

}  // namespace

VersionValues::VersionValues(const Trace& trace, const Cells& cells)
    : trace_(&trace), cells_(&cells), bytes_(cells.size() + 1) {
  find_bytes();
}

// Every cell begins where a location begins or where one ends; the first kind is certain, the
// second may name the first cell of another region, which the first kind then sets right.
void VersionValues::find_bytes() {
  const auto& locations = trace_->tables.locations;
  for (LocationId l : indices(locations)) {
    const auto cells = cells_->cells_of(l);
    bytes_[(*cells.end()).value()].first = locations[l].offset + locations[l].size;
    if ((*cells.begin()).value() > 0) {
      bytes_[(*cells.begin()).value() - 1].second = locations[l].offset;
    }
  }
  for (LocationId l : indices(locations)) {
    const auto cells = cells_->cells_of(l);
    bytes_[(*cells.begin()).value()].first = locations[l].offset;
    bytes_[(*cells.end()).value() - 1].second = locations[l].offset + locations[l].size;
  }
}

// The bytes of a location's value that lie in the cell; values are little-endian.
std::optional<std::uint64_t> VersionValues::part(LocationId l, CellId cell,
                                                 std::optional<std::uint64_t> value) const {
  const LocationInfo& location = trace_->tables.locations[l];
  if (!value || !location.region.valid()) return value;
  if (location.size > kBytesOfValue) return std::nullopt;
  const auto [from, to] = bytes_[cell.value()];
  const std::uint64_t shifted = *value >> kBitsPerByte * (from - location.offset);
  if (to - from >= kBytesOfValue) return shifted;
  return shifted & ((std::uint64_t{1} << kBitsPerByte * (to - from)) - 1);
}

void VersionValues::note(VersionId version, std::optional<std::uint64_t> value) {
  if (left_.size() <= version.value()) left_.resize(version.value() + 1);
  if (!value) return;
  Left& left = left_[version.value()];
  if (left.known && left.value != *value) left.doubtful = true;
  left = {true, left.doubtful, *value};
}

void VersionValues::note_write(VersionId version, EventId write, CellId cell) {
  note(version, part(trace_->location(write), cell, trace_->value(write)));
}

void VersionValues::note_read(VersionId version, bool write_has_value, EventId read, CellId cell) {
  if (write_has_value) return;
  note(version, part(trace_->location(read), cell, trace_->value_read(read)));
}

bool VersionValues::same(EventId read, CellId cell, VersionId version) const {
  if (trace_->is_final_read(read) || version.value() >= left_.size()) return false;
  const Left& left = left_[version.value()];
  const auto seen = part(trace_->location(read), cell, trace_->value_read(read));
  return seen && left.known && !left.doubtful && left.value == *seen;
}

}  // namespace heddle::order
