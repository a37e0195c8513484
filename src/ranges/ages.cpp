#include "ranges/ages.h"

#include <algorithm>

namespace heddle::ranges {

Ages::Ages(const Flow& flow) : age(flow.size(), 0), latest(flow.size(), 0) {
  Table<ThreadId, Time> oldest(flow.model().threads.size(), 0);
  for (const PointId point : indices(age)) {
    for (const Edge& edge : flow.edges(point)) {
      const Time step = flow[edge.target].stops ? 1 : 0;
      age[edge.target] = std::max(age[edge.target], age[point] + step);
    }
    Time& old = oldest[flow[point].thread];
    old = std::max(old, age[point]);
  }
  Time total = 0;
  for (const Time old : oldest) total += old;
  for (const PointId point : indices(age)) {
    latest[point] = age[point] + total - oldest[flow[point].thread];
  }
}

}  // namespace heddle::ranges
