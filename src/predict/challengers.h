// Reads, and the writes that they could see in the place of those that they saw.
#pragma once

#include <vector>

#include "predict/question.h"

namespace heddle::predict {

// The reads at the end of the trace: one per location that is not freed.
std::vector<EventId> final_reads(const Facts& facts);

// Calls visit with the versions of a cell that the read, or final read, did not see there and did
// not make itself; the initial one first.
template <typename Visit>
void for_each_challenger(const Facts& facts, EventId read, CellId cell, Visit visit) {
  const order::VersionId seen = facts.seen(read, cell);
  const order::VersionId initial = Facts::initial_version(cell);
  if (seen != initial) visit(initial);
  for (const auto& row : facts.cell_writes().rows(cell)) {
    for (const auto& item : facts.cell_writes().items(row)) {
      const order::VersionId version(item.payload);
      if (version != seen && facts.writer(version) != read) visit(version);
    }
  }
}

}  // namespace heddle::predict
