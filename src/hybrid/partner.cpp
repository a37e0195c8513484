#include "hybrid/partner.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace heddle::hybrid {
namespace {

// How the event accesses the location; it does so at most once.
EventKind kind_at(const RunEvent& event, SystemObject location) {
  for (const Access& access : event.accesses) {
    if (access.object == location) return access.kind;
  }
  return EventKind::branch;
}

// The accesses to a location, without those that a thread repeats with the same locks more than so
// often: the last of them remain.
std::vector<std::size_t> different_accesses(const RunFacts& facts, SystemObject location,
                                            std::size_t most) {
  std::map<std::tuple<std::uint32_t, ThreadId, std::vector<HeldLock>>, std::size_t> counts;
  std::vector<std::size_t> result;
  const std::vector<std::size_t>& all = facts.accesses_to(location);
  for (std::size_t i = all.size(); i-- > 0;) {
    const RunEvent& event = facts.run().events[all[i]];
    const auto held = facts.held(all[i]);
    const auto key =
        std::tuple(event.site, event.thread(), std::vector<HeldLock>(held.begin(), held.end()));
    if (counts[key]++ < most) result.push_back(all[i]);
  }
  std::reverse(result.begin(), result.end());
  return result;
}

bool share_a_lock(std::span<const HeldLock> a, std::span<const HeldLock> b) {
  return std::any_of(a.begin(), a.end(), [&](const HeldLock& mine) {
    return std::any_of(b.begin(), b.end(), [&](const HeldLock& other) {
      return mine.lock == other.lock && !(mine.reader && other.reader);
    });
  });
}

}  // namespace

bool conflict(const ObservedRun& run, EventKind a, EventKind b) {
  if (!is_access(a) || !is_access(b)) return false;
  const bool plain =
      run.atomics_race ? !is_atomic(a) || !is_atomic(b) : !is_atomic(a) && !is_atomic(b);
  return plain && (writes(a) || writes(b));
}

bool could_race(const RunFacts& facts, SystemObject location, std::size_t a, std::size_t b) {
  const RunEvent& first = facts.run().events[std::min(a, b)];
  const RunEvent& second = facts.run().events[std::max(a, b)];
  return first.thread() != second.thread() &&
         conflict(facts.run(), kind_at(first, location), kind_at(second, location)) &&
         !share_a_lock(facts.held(a), facts.held(b)) &&
         !facts.ordered(std::min(a, b), std::max(a, b));
}

std::optional<Pair> partner_before(const RunFacts& facts, const Warning& warning) {
  const std::vector<std::size_t>& events = facts.accesses_to(warning.location);
  auto place = std::lower_bound(events.begin(), events.end(), warning.event);
  while (place != events.begin()) {
    --place;
    if (could_race(facts, warning.location, *place, warning.event)) {
      return Pair{*place, warning.event, warning.location};
    }
  }
  return std::nullopt;
}

std::optional<Pair> partner_behind(const RunFacts& facts, const Warning& warning) {
  const std::vector<std::size_t>& events = facts.accesses_to(warning.location);
  auto place = std::upper_bound(events.begin(), events.end(), warning.event);
  for (; place != events.end(); ++place) {
    if (could_race(facts, warning.location, warning.event, *place)) {
      return Pair{warning.event, *place, warning.location};
    }
  }
  return std::nullopt;
}

std::vector<Pair> all_pairs(const RunFacts& facts, std::size_t most) {
  std::vector<Pair> pairs;
  std::map<std::tuple<SystemObject, std::uint32_t, std::uint32_t>, std::size_t> counts;
  const auto& run_events = facts.run().events;
  for (const SystemObject location : indices<SystemObject>(facts.run().objects)) {
    const std::vector<std::size_t> events = different_accesses(facts, location, most);
    for (std::size_t second = events.size(); second-- > 0;) {
      for (std::size_t first = second; first-- > 0;) {
        if (!could_race(facts, location, events[first], events[second])) continue;
        const Pair pair{events[first], events[second], location};
        const auto key =
            std::tuple(location, run_events[pair.first].site, run_events[pair.second].site);
        if (counts[key]++ < most) pairs.push_back(pair);
      }
    }
  }
  return pairs;
}

}  // namespace heddle::hybrid
