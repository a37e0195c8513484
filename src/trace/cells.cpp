#include "trace/cells.h"

#include <algorithm>
#include <vector>

namespace heddle {
namespace {

// Where in a region a location begins or ends.
struct Border {
  RegionId region;
  std::uint64_t offset;
  friend auto operator<=>(const Border&, const Border&) = default;
};

Border begin_of(const LocationInfo& location) { return {location.region, location.offset}; }
Border end_of(const LocationInfo& location) {
  return {location.region, location.offset + location.size};
}

}  // namespace

Cells::Cells(const Tables& tables)
    : first_(tables.locations.size()), last_(tables.locations.size()) {
  for (LocationId location : indices(tables.locations)) {
    if (tables.locations[location].region.valid()) continue;
    first_[location] = CellId(count_++);
    last_[location] = CellId(count_);
  }
  cut_regions(tables);
}

// All borders of all regions in order; the cell that begins at the i-th border has
// number i after those of the locations that stand alone. (Some of these numbers stand
// for gaps between locations, or for the end of a region, and are never used.)
void Cells::cut_regions(const Tables& tables) {
  std::vector<Border> borders;
  for (const LocationInfo& location : tables.locations) {
    if (!location.region.valid()) continue;
    borders.push_back(begin_of(location));
    borders.push_back(end_of(location));
  }
  std::sort(borders.begin(), borders.end());
  borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
  const auto cell_at = [&](const Border& border) {
    const auto found = std::lower_bound(borders.begin(), borders.end(), border);
    return CellId(count_ + static_cast<std::uint32_t>(found - borders.begin()));
  };
  for (LocationId id : indices(tables.locations)) {
    const LocationInfo& location = tables.locations[id];
    if (!location.region.valid()) continue;
    first_[id] = cell_at(begin_of(location));
    last_[id] = cell_at(end_of(location));
  }
  count_ += static_cast<std::uint32_t>(borders.size());
}

}  // namespace heddle
