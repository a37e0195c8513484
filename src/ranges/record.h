// What propagation saw, point by point, joined over everything that reached it.
#pragma once

#include <vector>

#include "ranges/program.h"
#include "ranges/transfer.h"

namespace heddle::ranges {

struct Record {
  explicit Record(const Program& program)
      : local(program.flow.size()),
        written(program.flow.edge_total()),
        unproved(program.flow.size(), false),
        may_fail(program.flow.size(), false) {}

  // Adds what a step met at a point, and what it wrote on an edge from there.
  void arrive(PointId point, const Environment& environment);
  void write(std::uint32_t edge, const Outcome& outcome);
  bool reached(PointId point) const { return !local[point].empty(); }

  Table<PointId, std::vector<Interval>> local;  // the thread's own words; none: not reached
  std::vector<std::vector<Write>> written;      // per edge
  Table<PointId, bool> unproved;                // its assertion may not hold
  Table<PointId, bool> may_fail;                // a value or an index may be out of range
};

}  // namespace heddle::ranges
