#include "explore/races.h"

#include <algorithm>

namespace heddle {
namespace {

using Predecessor = Execution::Predecessor;

bool only_enables(Order order) { return order == Order::enabled || order == Order::tentative; }

// Whether something else that the operation depends on happens after the candidate.
bool is_hidden(const Execution& execution, const Predecessor& candidate,
               Execution::EventIndex previous, std::span<const Predecessor> predecessors) {
  if (previous != Execution::kNone && execution.before(candidate.event, previous)) return true;
  return std::any_of(predecessors.begin(), predecessors.end(), [&](const Predecessor& other) {
    if (other.event == candidate.event) return false;
    if (only_enables(other.order) && other.object == candidate.object) return false;
    return execution.before(candidate.event, other.event);
  });
}

// An event may be a predecessor by several objects. All of them have their say at its
// first mention: if one of them only enables, the two cannot be swapped. Later mentions
// count as free.
Order strictest_order(std::span<const Predecessor> predecessors, std::size_t mention) {
  Order strictest = Order::raced;
  for (std::size_t i = 0; i < predecessors.size(); ++i) {
    if (predecessors[i].event != predecessors[mention].event) continue;
    if (i < mention) return Order::free;
    const Order order = predecessors[i].order;
    if (order == Order::enabled) return Order::enabled;
    if (order == Order::tentative) strictest = Order::tentative;
  }
  return strictest;
}

}  // namespace

void find_races(const Execution& execution, Execution::EventIndex previous,
                std::span<const Predecessor> predecessors, std::uint32_t own_section,
                std::pmr::vector<Race>& result, CheckCounters& counters) {
  for (std::size_t i = 0; i < predecessors.size(); ++i) {
    const Predecessor& candidate = predecessors[i];
    if (own_section != 0 && execution.section(candidate.event) == own_section) continue;
    const Order order = strictest_order(predecessors, i);
    if (order == Order::free || order == Order::enabled) continue;
    ++counters.race_checks;
    if (is_hidden(execution, candidate, previous, predecessors)) continue;
    result.push_back({candidate.event, order == Order::tentative});
  }
}

}  // namespace heddle
