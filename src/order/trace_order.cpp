#include "order/trace_order.h"

#include <algorithm>

namespace heddle::order {
namespace {

bool keeps(std::span<const Stop> stops, std::span<const std::uint32_t> counts) {
  return std::all_of(stops.begin(), stops.end(),
                     [&](const Stop& stop) { return counts[stop.thread.value()] == stop.count; });
}

}  // namespace

bool TraceOrder::close(std::vector<std::uint32_t>& counts, std::span<const Stop> stops) const {
  bool again = true;
  bool possible = true;
  while (again && possible) {
    again = false;
    if (!keeps(stops, counts)) return false;
    for (ThreadId t : indices<ThreadId>(counts.size())) {
      std::uint32_t end = 0;  // how far the thread has to go
      facts_.for_each_held(t, counts[t.value()], [&](SectionId id) {
        const Section& section = facts_.section(id);
        if (!is_taken_later(section, counts)) return;
        possible = possible && section.release != kNever;
        if (possible) end = std::max(end, section.release + 1);
      });
      if (!possible || end == 0) continue;
      facts_.add_needs(facts_.event({t, end - 1}), counts, Needs::trace_order);
      again = true;
    }
  }
  return possible && keeps(stops, counts);
}

bool TraceOrder::is_taken_later(const Section& section,
                                std::span<const std::uint32_t> counts) const {
  const auto& lists = section.reader ? facts_.writer_acquires() : facts_.acquires();
  const EventId acquire = facts_.event({section.thread, section.acquire});
  for (const auto& row : lists.rows(section.lock)) {
    if (row.thread == section.thread) continue;
    const auto* last = last_below(lists.items(row), counts[row.thread.value()]);
    if (last != nullptr && facts_.event({row.thread, last->index}) > acquire) return true;
  }
  return false;
}

std::vector<EventId> TraceOrder::sequence(std::span<const std::uint32_t> counts) const {
  EventId end{0};
  std::size_t size = 0;
  for (ThreadId t : indices<ThreadId>(counts.size())) {
    const std::uint32_t count = counts[t.value()];
    if (count > 0) end = std::max(end, facts_.event({t, count - 1}).next());
    size += count;
  }
  std::vector<EventId> result;
  result.reserve(size);
  for (EventId e : indices<EventId>(end.value())) {
    const Node at = facts_.node(e);
    if (at.index < counts[at.thread.value()]) result.push_back(e);
  }
  return result;
}

}  // namespace heddle::order
