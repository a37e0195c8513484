#include "predict/race_candidates.h"

#include <algorithm>
#include <map>

#include "base/random.h"
#include "order/fork_join.h"
#include "predict/access_classes.h"
#include "predict/races.h"

namespace heddle::predict {
namespace {

class CandidateFinder {
 public:
  CandidateFinder(const Facts& facts, const Places& places, std::uint64_t all_up_to,
                  std::uint64_t per_places)
      : facts_(facts),
        trace_(facts.trace()),
        places_(places),
        classes_(facts, places),
        held_(classes_.held()),
        fork_join_(facts),
        all_up_to_(all_up_to),
        per_places_(per_places) {}

  RaceCandidates run() {
    result_.shared_cells = classes_.shared_cells();
    std::vector<CellId> open;
    for (CellId cell : indices<CellId>(classes_.cell_count())) {
      if (count(cell)) open.push_back(cell);
    }
    all_ = result_.conflicts - result_.guarded - result_.joined <= all_up_to_;
    for (CellId cell : open) list(cell);
    add_lifetimes();
    // In the order of the trace: then the engine can go forward with the questions.
    std::stable_sort(result_.pairs.begin(), result_.pairs.end(),
                     [](const RaceCandidate& a, const RaceCandidate& b) {
                       return a.unordered != b.unordered ? a.unordered : a.pair < b.pair;
                     });
    result_.left_out = result_.conflicts - result_.guarded - result_.joined - result_.pairs.size();
    return std::move(result_);
  }

 private:
  // What was listed for a pair of places.
  struct Sample {
    std::uint64_t seen = 0;
    std::uint64_t unordered = 0;
    std::vector<std::size_t> listed = {};
  };
  static constexpr std::uint64_t kUnorderedPerPlaces = 3;
  static constexpr std::size_t kWalks = 20;
  static constexpr std::size_t kWalkLength = 50;

  enum class Apart : std::uint8_t { by_lock, by_join, not_at_all };

  // Counts the pairs of a cell; says whether some may not be kept apart.
  bool count(CellId cell) {
    std::uint64_t open = 0;
    for_each_conflict(cell, [&](const AlikeAccesses& a, const AlikeAccesses& b, Apart apart) {
      const std::uint64_t pairs = std::uint64_t{a.events.size()} * b.events.size();
      result_.conflicts += pairs;
      (apart == Apart::by_lock   ? result_.guarded
       : apart == Apart::by_join ? result_.joined
                                 : open) += pairs;
    });
    return open > 0;
  }

  void list(CellId cell) {
    for_each_conflict(cell, [&](const AlikeAccesses& a, const AlikeAccesses& b, Apart apart) {
      if (apart != Apart::not_at_all) return;
      all_ ? list_all(a.events, b.events) : list_neighbours(a.events, b.events);
    });
  }

  template <typename Visit>
  void for_each_conflict(CellId cell, Visit visit) {
    const std::span<const AlikeAccesses> classes = classes_.of(cell);
    for (std::size_t i = 0; i < classes.size(); ++i) {
      for (std::size_t j = i + 1; j < classes.size(); ++j) {
        const AlikeAccesses& a = classes[i];
        const AlikeAccesses& b = classes[j];
        if (!is_first_shared(cell, a.shared.location, b.shared.location)) continue;
        if (conflict(facts_, a.events.front(), b.events.front())) visit(a, b, kept_apart(a, b));
      }
    }
  }

  Apart kept_apart(const AlikeAccesses& a, const AlikeAccesses& b) const {
    if (held_.exclude(a.shared.held, b.shared.held)) return Apart::by_lock;
    const bool joined = fork_join_.precedes(a.events.back(), b.events.front()) ||
                        fork_join_.precedes(b.events.back(), a.events.front());
    return joined ? Apart::by_join : Apart::not_at_all;
  }

  // Accesses that share several cells are looked at in the first of these.
  bool is_first_shared(CellId cell, LocationId a, LocationId b) const {
    const Cells& cells = facts_.derived().cells;
    return cell == std::max(*cells.cells_of(a).begin(), *cells.cells_of(b).begin());
  }

  RaceCandidate candidate(EventId e, EventId f, bool unordered) const {
    const EventPair pair{std::min(e, f), std::max(e, f)};
    return {pair, places_.of(pair.first), places_.of(pair.second), unordered};
  }
  void list(EventId e, EventId f, bool unordered = false) {
    result_.pairs.push_back(candidate(e, f, unordered));
  }

  void list_all(const std::vector<EventId>& a, const std::vector<EventId>& b) {
    for (EventId e : a) {
      for (EventId f : b) are_joined(e, f) ? void(++result_.joined) : list(e, f);
    }
  }

  bool are_joined(EventId e, EventId f) const {
    return fork_join_.precedes(e, f) || fork_join_.precedes(f, e);
  }

  // Pairs with nothing of either class between them, in both directions: of large classes some,
  // from all over the trace.
  void list_neighbours(const std::vector<EventId>& a, const std::vector<EventId>& b) {
    const PlaceId first = places_.of(a.front());
    const PlaceId second = places_.of(b.front());
    Sample& sample = samples_[{std::min(first, second), std::max(first, second)}];
    const bool whole = a.size() + b.size() <= kWalks * kWalkLength;
    const std::size_t walks = whole ? 1 : kWalks;
    for (std::size_t walk = 0; walk < walks; ++walk) {
      std::size_t i = a.size() * walk / walks;
      auto j = static_cast<std::size_t>(std::lower_bound(b.begin(), b.end(), a[i]) - b.begin());
      j = whole || j == 0 ? 0 : j - 1;
      for (std::size_t n = 0; i < a.size() && j < b.size() && (whole || n < kWalkLength); ++n) {
        offer(sample, a[i], b[j]);
        ++(a[i] < b[j] ? i : j);
      }
    }
  }

  // Of all that is offered, each has the same chance to be listed; what the run itself did not
  // order is sure to race, so some of it always is.
  void offer(Sample& sample, EventId e, EventId f) {
    if (are_joined(e, f)) return;
    const bool unordered =
        facts_.derived().happens_before.unordered(std::min(e, f), std::max(e, f));
    if (unordered && sample.unordered++ < kUnorderedPerPlaces) return list(e, f, true);
    ++sample.seen;
    if (sample.listed.size() < per_places_) {
      sample.listed.push_back(result_.pairs.size());
      return list(e, f);
    }
    const std::uint64_t chosen = random_.next() % sample.seen;
    if (chosen < per_places_) result_.pairs[sample.listed[chosen]] = candidate(e, f, false);
  }

  // Allocations and frees with the accesses of other threads.
  void add_lifetimes() {
    for (RegionId region : indices(trace_.tables.regions)) {
      for (EventId e : {facts_.alloc_of(region), facts_.free_of(region)}) {
        if (e.valid()) add_lifetime(region, e);
      }
    }
  }

  void add_lifetime(RegionId region, EventId e) {
    for (const auto& row : facts_.accesses().rows(region)) {
      if (row.thread == trace_.thread(e)) continue;
      for (const auto& item : facts_.accesses().items(row)) {
        const EventId access = facts_.event({row.thread, item.index});
        ++result_.conflicts;
        if (held_.exclude(held_.of(e), held_.of(access))) {
          ++result_.guarded;
          continue;
        }
        if (are_joined(e, access)) {
          ++result_.joined;
        } else if (all_) {
          list(e, access);
        } else {
          offer(samples_[{places_.of(e), places_.of(access)}], e, access);
        }
      }
    }
  }

  const Facts& facts_;
  const Trace& trace_;
  const Places& places_;
  AccessClasses classes_;
  HeldSets& held_;
  order::ForkJoin fork_join_;
  std::uint64_t all_up_to_;
  std::uint64_t per_places_;
  bool all_ = true;
  std::map<std::pair<PlaceId, PlaceId>, Sample> samples_;
  Random random_{1};  // the same choice every time
  RaceCandidates result_;
};

}  // namespace

RaceCandidates find_race_candidates(const Facts& facts, const Places& places,
                                    std::uint64_t all_up_to, std::uint64_t per_places) {
  return CandidateFinder(facts, places, all_up_to, per_places).run();
}

}  // namespace heddle::predict
