// Cells: the pieces of memory that the accesses of a trace can tell apart.
//
// Locations may overlap: a four-byte write, then a read of its second byte. Cutting
// every region at all the places where one of its locations begins or ends gives
// cells that no access touches in part. A location is a run of neighbouring cells, in
// most programs of just one, and two accesses conflict exactly if they share a cell.
// There are at most twice as many cells as locations, however many bytes those span.
#pragma once

#include <cstdint>

#include "base/index.h"
#include "trace/tables.h"

namespace heddle {

using CellId = Index<struct CellTag>;

class Cells {
 public:
  explicit Cells(const Tables& tables);

  std::size_t size() const { return count_; }
  IndexRange<CellId> cells_of(LocationId location) const {
    return {first_[location], last_[location]};
  }
  bool overlap(LocationId a, LocationId b) const {
    return first_[a] < last_[b] && first_[b] < last_[a];
  }
  std::size_t memory_bytes() const { return first_.memory_bytes() + last_.memory_bytes(); }

 private:
  void cut_regions(const Tables& tables);

  Table<LocationId, CellId> first_;
  Table<LocationId, CellId> last_;  // one past the end
  std::uint32_t count_ = 0;
};

}  // namespace heddle
