// The value that each location is known to hold, from what writes and reads recorded.
//
// A recorded write or read makes the value of its location known, a write without a value
// makes it unknown. Locations of one region may overlap; a write to one of them makes the
// values of the others unknown. Until the first recorded value nothing is kept at all;
// from then on a location looks up its overlapping neighbours once, when it is first used.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include <absl/container/btree_set.h>

#include "base/growing_table.h"
#include "trace/event.h"
#include "trace/tables.h"

namespace heddle {

class LastValues {
 public:
  explicit LastValues(const Tables& tables) : tables_(&tables) {}

  std::optional<std::uint64_t> known(LocationId location) const;
  void read(LocationId location, std::uint64_t value);
  void write(LocationId location, std::optional<std::uint64_t> value);

 private:
  struct LocationState {
    std::uint64_t value = 0;
    bool known = false;
    bool placed = false;  // its neighbours were looked up
    bool overlaps = false;
  };
  // Ordered by offset among the locations of about the same size: then those that overlap
  // a range of bytes stand close together, whatever other sizes there are.
  using Place = std::tuple<RegionId, int, std::uint64_t, LocationId>;

  LocationState& placed(LocationId location);
  void place(LocationId location);
  void note_overlaps(LocationId location, int size_class);

  const Tables* tables_;
  bool any_value_ = false;
  GrowingTable<LocationId, LocationState> locations_;
  GrowingTable<LocationId, std::vector<LocationId>> neighbours_;
  absl::btree_set<Place> places_;
  std::uint32_t size_classes_ = 0;  // bit c is set when a location of class c was placed
};

}  // namespace heddle
