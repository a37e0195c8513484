#include "trace/last_values.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace heddle {
namespace {

constexpr std::uint64_t kHighest = std::numeric_limits<std::uint64_t>::max();

std::uint64_t last_byte(const LocationInfo& location) {
  return location.offset + std::min<std::uint64_t>(location.size - 1, kHighest - location.offset);
}

// Sizes of class c have c + 1 bits, so they are at least 2^c and below 2^(c+1).
int size_class_of(const LocationInfo& location) {
  return static_cast<int>(std::bit_width(location.size)) - 1;
}

bool overlap(const LocationInfo& a, const LocationInfo& b) {
  return a.offset <= last_byte(b) && b.offset <= last_byte(a);
}

}  // namespace

std::optional<std::uint64_t> LastValues::known(LocationId location) const {
  const LocationState& state = locations_[location];
  return state.known ? std::optional(state.value) : std::nullopt;
}

void LastValues::read(LocationId location, std::uint64_t value) {
  any_value_ = true;
  LocationState& state = placed(location);
  state.value = value;
  state.known = true;
}

void LastValues::write(LocationId location, std::optional<std::uint64_t> value) {
  any_value_ |= value.has_value();
  if (!any_value_) return;
  LocationState& state = placed(location);
  state.value = value.value_or(0);
  state.known = value.has_value();
  if (!state.overlaps) return;
  for (const LocationId other : neighbours_[location]) locations_.at(other).known = false;
}

LastValues::LocationState& LastValues::placed(LocationId location) {
  if (!locations_[location].placed) place(location);
  return locations_.at(location);
}

void LastValues::place(LocationId location) {
  locations_.at(location).placed = true;
  const LocationInfo& info = tables_->locations[location];
  if (!info.region.valid() || info.size == 0) return;
  for (std::uint32_t classes = size_classes_; classes != 0; classes &= classes - 1) {
    note_overlaps(location, std::countr_zero(classes));
  }
  places_.emplace(info.region, size_class_of(info), info.offset, location);
  size_classes_ |= std::uint32_t{1} << size_class_of(info);
}

void LastValues::note_overlaps(LocationId location, int size_class) {
  const LocationInfo& info = tables_->locations[location];
  const std::uint64_t reach = (std::uint64_t{2} << size_class) - 1;
  const std::uint64_t from = info.offset > reach ? info.offset - reach : 0;
  auto other = places_.lower_bound(Place(info.region, size_class, from, LocationId(0)));
  const Place end(info.region, size_class, last_byte(info), LocationId::none());
  for (; other != places_.end() && *other < end; ++other) {
    const LocationId id = std::get<LocationId>(*other);
    if (!overlap(info, tables_->locations[id])) continue;
    neighbours_.at(location).push_back(id);
    neighbours_.at(id).push_back(location);
    locations_.at(location).overlaps = locations_.at(id).overlaps = true;
  }
}

}  // namespace heddle
