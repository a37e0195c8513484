#include "predict/race_candidates.h"

#include <algorithm>
#include <map>
#include <string>

#include <absl/container/flat_hash_map.h>

#include "base/random.h"
#include "predict/held_sets.h"
#include "predict/races.h"

namespace heddle::predict {

Places::Places(const Facts& facts) : facts_(facts) {
  const Tables& tables = facts.trace().tables;
  absl::flat_hash_map<std::string, PlaceId> known;
  for (SiteId site : indices(tables.sites)) {
    const auto [place, is_new] = known.try_emplace(tables.describe(site), PlaceId(count_));
    count_ += is_new ? 1 : 0;
    of_site_.add(place->second);
  }
}

// An event without a site is told by its kind and object.
PlaceId Places::of(EventId e) const {
  const Trace& trace = facts_.trace();
  if (trace.site(e).valid()) return of_site_[trace.site(e)];
  return PlaceId(count_ + trace.object(e) * static_cast<std::uint32_t>(kEventKindCount) +
                 static_cast<std::uint32_t>(trace.kind(e)));
}

namespace {

struct AccessClass {
  ThreadId thread;
  LocationId location;
  EventKind kind;
  PlaceId place;
  HeldId held;
  friend bool operator==(const AccessClass&, const AccessClass&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const AccessClass& c) {
    return H::combine(std::move(h), c.thread.value(), c.location.value(), c.kind, c.place.value(),
                      c.held.value());
  }
};

class CandidateFinder {
 public:
  CandidateFinder(const Facts& facts, const Places& places, std::uint64_t all_up_to,
                  std::uint64_t per_places)
      : facts_(facts),
        trace_(facts.trace()),
        places_(places),
        held_(facts),
        all_up_to_(all_up_to),
        per_places_(per_places) {}

  RaceCandidates run() {
    sort_by_cell();
    std::vector<CellId> open;
    for (CellId cell : indices<CellId>(begin_.size() - 1)) {
      if (count(cell)) open.push_back(cell);
    }
    all_ = result_.conflicts - result_.guarded <= all_up_to_;
    for (CellId cell : open) list(cell);
    add_lifetimes();
    // In the order of the trace: then the engine can go forward with the questions.
    std::stable_sort(result_.pairs.begin(), result_.pairs.end(),
                     [](const RaceCandidate& a, const RaceCandidate& b) {
                       return a.unordered != b.unordered ? a.unordered : a.pair < b.pair;
                     });
    result_.left_out = result_.conflicts - result_.guarded - result_.pairs.size();
    return std::move(result_);
  }

 private:
  struct Members {
    AccessClass shared;
    std::vector<EventId> events;
  };
  // What was listed for a pair of places.
  struct Sample {
    std::uint64_t seen = 0;
    std::uint64_t unordered = 0;
    std::vector<std::size_t> listed = {};
  };
  static constexpr std::uint64_t kUnorderedPerPlaces = 3;
  static constexpr std::size_t kWalks = 20;
  static constexpr std::size_t kWalkLength = 50;

  // Cells that several threads use, and one of them writes, with their accesses in trace order.
  void sort_by_cell() {
    const std::size_t cells = facts_.derived().cells.size();
    struct Use {
      ThreadId thread;
      bool shared = false;
      bool written = false;
      std::uint32_t count = 0;
    };
    std::vector<Use> uses(cells);
    const auto each_cell = [&](auto visit_cell) {
      for (EventId e : trace_.events()) {
        if (!is_access(trace_.kind(e))) continue;
        for (CellId cell : facts_.cells(e)) visit_cell(e, uses[cell.value()], cell);
      }
    };
    each_cell([&](EventId e, Use& use, CellId) {
      use.shared = use.shared || (use.thread.valid() && use.thread != trace_.thread(e));
      use.thread = trace_.thread(e);
      use.written = use.written || writes(trace_.kind(e));
      ++use.count;
    });
    begin_.assign(cells + 1, 0);
    for (std::size_t i = 0; i < cells; ++i) {
      begin_[i + 1] = begin_[i] + (uses[i].shared && uses[i].written ? uses[i].count : 0);
      result_.shared_cells += uses[i].shared && uses[i].written ? 1 : 0;
    }
    accesses_.resize(begin_.back());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    each_cell([&](EventId e, const Use& use, CellId cell) {
      if (use.shared && use.written) accesses_[next[cell.value()]++] = e;
    });
  }

  // Counts the pairs of a cell; says whether some are not kept apart by a lock.
  bool count(CellId cell) {
    std::uint64_t open = 0;
    for_each_conflict(cell, [&](const Members& a, const Members& b, bool guarded) {
      const std::uint64_t pairs = std::uint64_t{a.events.size()} * b.events.size();
      result_.conflicts += pairs;
      (guarded ? result_.guarded : open) += pairs;
    });
    return open > 0;
  }

  void list(CellId cell) {
    for_each_conflict(cell, [&](const Members& a, const Members& b, bool guarded) {
      if (guarded) return;
      all_ ? list_all(a.events, b.events) : list_neighbours(a.events, b.events);
    });
  }

  template <typename Visit>
  void for_each_conflict(CellId cell, Visit visit) {
    sort_into_classes(cell);
    for (std::size_t i = 0; i < class_count_; ++i) {
      for (std::size_t j = i + 1; j < class_count_; ++j) {
        const Members& a = classes_[i];
        const Members& b = classes_[j];
        if (!is_first_shared(cell, a.shared.location, b.shared.location)) continue;
        if (!conflict(facts_, a.events.front(), b.events.front())) continue;
        visit(a, b, held_.exclude(a.shared.held, b.shared.held));
      }
    }
  }

  void sort_into_classes(CellId cell) {
    class_count_ = 0;
    class_of_.clear();
    for (std::uint32_t i = begin_[cell.value()]; i < begin_[cell.value() + 1]; ++i) {
      const EventId e = accesses_[i];
      const AccessClass shared{trace_.thread(e), trace_.location(e), trace_.kind(e), places_.of(e),
                               held_.of(e)};
      const auto [known, is_new] = class_of_.try_emplace(shared, class_count_);
      if (is_new) add_class(shared);
      classes_[known->second].events.push_back(e);
    }
  }

  void add_class(const AccessClass& shared) {
    if (class_count_ == classes_.size()) classes_.emplace_back();
    classes_[class_count_].shared = shared;
    classes_[class_count_].events.clear();
    ++class_count_;
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
      for (EventId f : b) list(e, f);
    }
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
        if (all_) {
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
  HeldSets held_;
  std::uint64_t all_up_to_;
  std::uint64_t per_places_;
  bool all_ = true;
  std::vector<std::uint32_t> begin_;
  std::vector<EventId> accesses_;
  // Of one cell; the first class_count_ are in use, in the order in which they appear:
  std::vector<Members> classes_;
  std::size_t class_count_ = 0;
  absl::flat_hash_map<AccessClass, std::size_t> class_of_;
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
