#include "explore/sequence.h"

#include <algorithm>

#include "explore/dependence.h"

namespace heddle {

void Sequence::clear() {
  items_.clear();
  accesses_.clear();
}

void Sequence::append(Transition transition, std::span<const Access> accesses) {
  items_.push_back({transition, static_cast<std::uint32_t>(accesses_.size()),
                    static_cast<std::uint32_t>(accesses.size())});
  accesses_.insert(accesses_.end(), accesses.begin(), accesses.end());
}

std::optional<std::size_t> Sequence::weak_initial(Transition transition,
                                                  std::span<const Access> accesses,
                                                  CheckCounters& counters) const {
  const auto found = std::find_if(items_.begin(), items_.end(), [&](const Item& item) {
    return item.transition.thread == transition.thread;
  });
  const auto place = static_cast<std::size_t>(found - items_.begin());
  if (found == items_.end()) {
    return independent_of_first(place, accesses, counters) ? std::optional(place) : std::nullopt;
  }
  if (found->transition != transition) return std::nullopt;
  const bool initial = independent_of_first(place, this->accesses(place), counters);
  return initial ? std::optional(place) : std::nullopt;
}

bool Sequence::independent_of_first(std::size_t count, std::span<const Access> accesses,
                                    CheckCounters& counters) const {
  for (std::size_t i = 0; i < count; ++i) {
    ++counters.dependency_checks;
    if (dependent(this->accesses(i), accesses)) return false;
  }
  return true;
}

bool operator==(const Sequence& a, const Sequence& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a.transition(i) != b.transition(i)) return false;
    if (!std::equal(a.accesses(i).begin(), a.accesses(i).end(), b.accesses(i).begin(),
                    b.accesses(i).end())) {
      return false;
    }
  }
  return true;
}

}  // namespace heddle
