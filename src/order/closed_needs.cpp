#include "order/closed_needs.h"

#include <algorithm>

namespace heddle::order {
namespace {

bool keeps(std::span<const Stop> stops, std::span<const std::uint32_t> counts) {
  return std::all_of(stops.begin(), stops.end(),
                     [&](const Stop& stop) { return counts[stop.thread.value()] <= stop.count; });
}

// Ends the sections of other threads that exclude the one that is kept. False when one never ends.
bool end_others(const Facts& facts, const Section& kept, std::vector<std::uint32_t>& counts,
                bool& raised) {
  const auto& lists = kept.reader ? facts.writer_acquires() : facts.acquires();
  for (const auto& row : lists.rows(kept.lock)) {
    if (row.thread == kept.thread) continue;
    const auto* begun = last_below(lists.items(row), counts[row.thread.value()]);
    if (begun == nullptr) continue;
    const Section& other = facts.section(SectionId(begun->payload));
    if (other.release == kNever) return false;
    if (other.release < counts[row.thread.value()]) continue;
    facts.add_needs(facts.event({row.thread, other.release}), counts);
    raised = true;
  }
  return true;
}

}  // namespace

bool close_needs(const Facts& facts, std::vector<std::uint32_t>& counts,
                 std::span<const Stop> stops) {
  bool raised = true;
  bool possible = keeps(stops, counts);
  while (raised && possible) {
    raised = false;
    for (const Stop& stop : stops) {
      facts.for_each_held(stop.thread, stop.count, [&](SectionId held) {
        possible = possible && end_others(facts, facts.section(held), counts, raised);
      });
    }
    possible = possible && keeps(stops, counts);
  }
  return possible;
}

}  // namespace heddle::order
