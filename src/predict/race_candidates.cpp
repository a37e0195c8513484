#include "predict/race_candidates.h"

#include <algorithm>
#include <map>
#include <string>

#include <absl/container/flat_hash_map.h>

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

using HeldId = Index<struct HeldSetTag>;

struct HeldLock {
  LockId lock;
  bool reader;
  friend auto operator<=>(const HeldLock&, const HeldLock&) = default;
};
using HeldSet = std::vector<HeldLock>;

// Sets of held locks by number, and which of them exclude each other.
class HeldSets {
 public:
  explicit HeldSets(const Facts& facts)
      : facts_(facts), of_stretch_(facts.derived().order.stretch_count(), HeldId::none()) {}

  HeldId of(EventId e) {
    HeldId& id = of_stretch_[facts_.derived().order.stretch(e)];
    if (!id.valid()) id = find(e);
    return id;
  }

  bool exclude(HeldId a, HeldId b) const {
    for (const HeldLock& x : sets_[a]) {
      for (const HeldLock& y : sets_[b]) {
        if (x.lock == y.lock && !(x.reader && y.reader)) return true;
      }
    }
    return false;
  }

 private:
  HeldId find(EventId e) {
    HeldSet set;
    const Scopes& scopes = facts_.derived().scopes;
    for (ScopeId scope : scopes.held(e)) {
      const EventId acquire = scopes.acquire(scope);
      set.push_back({facts_.trace().lock(acquire),
                     facts_.trace().kind(acquire) == EventKind::reader_acquire});
    }
    std::sort(set.begin(), set.end());
    const auto [known, is_new] = ids_.try_emplace(set, sets_.end_index());
    if (is_new) sets_.add(std::move(set));
    return known->second;
  }

  const Facts& facts_;
  Table<StretchId, HeldId> of_stretch_;
  std::map<HeldSet, HeldId> ids_;
  Table<HeldId, HeldSet> sets_;
};

struct AccessClass {
  ThreadId thread;
  LocationId location;
  EventKind kind;
  PlaceId place;
  HeldId held;
  friend auto operator<=>(const AccessClass&, const AccessClass&) = default;
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
    for (CellId cell : indices<CellId>(begin_.size() - 1)) visit(cell, false);
    all_ = result_.conflicts - result_.guarded <= all_up_to_;
    for (CellId cell : indices<CellId>(begin_.size() - 1)) visit(cell, true);
    add_lifetimes();
    // In the order of the trace: then the engine can go forward with the questions.
    std::stable_sort(
        result_.pairs.begin(), result_.pairs.end(),
        [](const RaceCandidate& a, const RaceCandidate& b) { return a.pair < b.pair; });
    result_.left_out = result_.conflicts - result_.guarded - result_.pairs.size();
    return std::move(result_);
  }

 private:
  using Members = std::pair<const AccessClass, std::vector<EventId>>;

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

  void visit(CellId cell, bool list) {
    const std::uint32_t first = begin_[cell.value()];
    const std::uint32_t last = begin_[cell.value() + 1];
    if (first == last) return;
    std::map<AccessClass, std::vector<EventId>> classes;
    for (std::uint32_t i = first; i < last; ++i) {
      const EventId e = accesses_[i];
      classes[{trace_.thread(e), trace_.location(e), trace_.kind(e), places_.of(e), held_.of(e)}]
          .push_back(e);
    }
    for (auto a = classes.begin(); a != classes.end(); ++a) {
      for (auto b = std::next(a); b != classes.end(); ++b) visit(cell, *a, *b, list);
    }
  }

  void visit(CellId cell, const Members& a, const Members& b, bool list) {
    if (!is_first_shared(cell, a.first.location, b.first.location)) return;
    if (!conflict(facts_, a.second.front(), b.second.front())) return;
    const std::uint64_t pairs = std::uint64_t{a.second.size()} * b.second.size();
    const bool guarded = held_.exclude(a.first.held, b.first.held);
    if (!list) {
      result_.conflicts += pairs;
      result_.guarded += guarded ? pairs : 0;
    } else if (!guarded) {
      all_ ? list_all(a.second, b.second) : list_neighbours(a.second, b.second);
    }
  }

  // Accesses that share several cells are looked at in the first of these.
  bool is_first_shared(CellId cell, LocationId a, LocationId b) const {
    const Cells& cells = facts_.derived().cells;
    return cell == std::max(*cells.cells_of(a).begin(), *cells.cells_of(b).begin());
  }

  void list(EventId e, EventId f) {
    const EventPair pair{std::min(e, f), std::max(e, f)};
    result_.pairs.push_back({pair, places_.of(pair.first), places_.of(pair.second)});
  }

  void list_all(const std::vector<EventId>& a, const std::vector<EventId>& b) {
    for (EventId e : a) {
      for (EventId f : b) list(e, f);
    }
  }

  // Pairs with nothing of either class between them, in both directions.
  void list_neighbours(const std::vector<EventId>& a, const std::vector<EventId>& b) {
    const PlaceId first = places_.of(a.front());
    const PlaceId second = places_.of(b.front());
    std::uint64_t& listed = listed_[{std::min(first, second), std::max(first, second)}];
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size() && listed < per_places_) {
      list(a[i], b[j]);
      ++listed;
      ++(a[i] < b[j] ? i : j);
    }
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
        std::uint64_t& listed = listed_[{places_.of(e), places_.of(access)}];
        if (all_ || listed++ < per_places_) list(e, access);
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
  std::map<std::pair<PlaceId, PlaceId>, std::uint64_t> listed_;
  RaceCandidates result_;
};

}  // namespace

RaceCandidates find_race_candidates(const Facts& facts, const Places& places,
                                    std::uint64_t all_up_to, std::uint64_t per_places) {
  return CandidateFinder(facts, places, all_up_to, per_places).run();
}

}  // namespace heddle::predict
