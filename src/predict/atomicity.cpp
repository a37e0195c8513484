#include "predict/atomicity.h"

#include <algorithm>
#include <array>
#include <limits>

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include "predict/held_sets.h"
#include "predict/race_candidates.h"
#include "predict/races.h"

namespace heddle::predict {
namespace {

using order::Machine;
using order::Node;
using order::Section;

bool breaks(EventKind a1, EventKind b, EventKind a2) {
  return (writes(b) && (reads(a2) || (reads(a1) && writes(a2)))) ||
         (writes(a1) && reads(b) && writes(a2));
}

// Accesses of a cell that are alike in all that decides whether a lock keeps them out of a scope.
struct RemoteClass {
  ThreadId thread;
  LocationId location;
  EventKind kind;
  PlaceId place;
  HeldId held;
  friend bool operator==(const RemoteClass&, const RemoteClass&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const RemoteClass& c) {
    return H::combine(std::move(h), c.thread.value(), c.location.value(), c.kind, c.place.value(),
                      c.held.value());
  }
};

class ScopeQuestions {
 public:
  ScopeQuestions(const Facts& facts, const AtomicityOptions& options,
                 const std::function<void(AtomicityAnswer)>& tell)
      : facts_(facts),
        trace_(facts.trace()),
        options_(options),
        tell_(tell),
        places_(facts),
        asker_(facts, options.budget) {
    find_accesses();
  }

  void ask(const AtomicScope& scope) {
    options_.neighbours_only ? ask_neighbours(scope) : ask_pairs(scope);
  }

  const AtomicityCounters& counters() const { return counters_; }

 private:
  using ThreePlaces = std::array<std::uint32_t, 3>;
  struct Remotes {
    RemoteClass shared;
    std::vector<EventId> events;  // in trace order
  };

  void find_accesses() {
    HeldSets held(facts_);
    absl::flat_hash_map<std::pair<std::uint32_t, RemoteClass>, std::size_t> known;
    by_cell_.resize(facts_.derived().cells.size());
    for (EventId e : trace_.events()) {
      if (!is_access(trace_.kind(e))) continue;
      const RemoteClass shared{trace_.thread(e), trace_.location(e), trace_.kind(e), places_.of(e),
                               held.of(e)};
      for (CellId cell : facts_.cells(e)) {
        std::vector<Remotes>& classes = by_cell_[cell.value()];
        const auto [place, is_new] = known.try_emplace({cell.value(), shared}, classes.size());
        if (is_new) classes.push_back({shared, {}});
        classes[place->second].events.push_back(e);
      }
    }
  }

  void ask_pairs(const AtomicScope& scope) {
    const auto events = facts_.derived().order.events_of(scope.thread);
    for (std::uint32_t j = scope.first; j < scope.last; ++j) {
      if (!is_access(trace_.kind(events[j]))) continue;
      for (std::uint32_t i = scope.first; i < j; ++i) {
        if (is_access(trace_.kind(events[i])) && overlap(events[i], events[j])) {
          ask_remotes(events[i], events[j]);
        }
      }
    }
  }

  bool overlap(EventId e, EventId f) const {
    return facts_.derived().cells.overlap(facts_.location_of(e), facts_.location_of(f));
  }

  // Each access with the last one before it that has a cell in common.
  void ask_neighbours(const AtomicScope& scope) {
    const auto events = facts_.derived().order.events_of(scope.thread);
    last_of_cell_.clear();
    for (std::uint32_t i = scope.first; i < scope.last; ++i) {
      const EventId e = events[i];
      if (!is_access(trace_.kind(e))) continue;
      EventId last = EventId::none();
      for (CellId cell : facts_.cells(e)) {
        const auto [before, is_first] = last_of_cell_.try_emplace(cell.value(), e);
        if (!is_first && (!last.valid() || last < before->second)) last = before->second;
        before->second = e;
      }
      if (last.valid()) ask_remotes(last, e);
    }
  }

  // When the time is up, what is left counts as left out: all pairs of a long trace are many.
  void ask_remotes(EventId first, EventId second) {
    if (options_.budget.is_over()) {
      ++counters_.left_out;
      return;
    }
    if (!asked_.insert({first.value(), second.value()}).second) return;
    const auto cells = facts_.cells(second);
    for (CellId cell : facts_.cells(first)) {
      if (cell < *cells.begin() || !(cell < *cells.end())) continue;
      const CellId first_shared = std::max(*facts_.cells(first).begin(), *cells.begin());
      for (const Remotes& remotes : by_cell_[cell.value()]) {
        // What has several cells in common with the two is looked at in the first of these.
        if (cell != std::max(first_shared, *facts_.cells(remotes.events.front()).begin())) continue;
        ask_remotes(first, remotes, second);
      }
    }
  }

  void ask_remotes(EventId first, const Remotes& remotes, EventId second) {
    if (remotes.shared.thread == trace_.thread(first)) return;
    if (!breaks(trace_.kind(first), remotes.shared.kind, trace_.kind(second))) return;
    counters_.candidates += remotes.events.size();
    if (is_guarded({first, remotes.events.front(), second})) return;
    std::uint64_t& left = left_of(first, remotes, second);
    counters_.left_out += remotes.events.size();
    if (left == 0) return;
    for_chosen(first, remotes.events, second, [&](EventId remote) {
      --counters_.left_out;
      --left;
      Shown shown = can_break({first, remote, second});
      if (shown.answer == Answer::yes && options_.per_places != 0) left = 0;
      tell_({{first, remote, second}, std::move(shown)});
      return left > 0;
    });
  }

  // How many questions about these three places may still be asked.
  std::uint64_t& left_of(EventId first, const Remotes& remotes, EventId second) {
    const std::uint64_t most =
        options_.per_places != 0 ? options_.per_places : std::numeric_limits<std::uint64_t>::max();
    const ThreePlaces places{places_.of(first).value(), remotes.shared.place.value(),
                             places_.of(second).value()};
    return left_of_.try_emplace(places, most).first->second;
  }

  // All, or those nearest to the two, which have the best chances: the last one before them, and
  // from there on until one comes after them.
  template <typename Visit>
  void for_chosen(EventId first, const std::vector<EventId>& remotes, EventId second, Visit visit) {
    auto from = remotes.begin();
    auto to = remotes.end();
    if (options_.per_places != 0) {
      from = std::lower_bound(from, to, first);
      to = std::upper_bound(from, to, second);
      if (from != remotes.begin()) --from;
      if (to != remotes.end()) ++to;
    }
    while (from != to && visit(*from)) ++from;
  }

  // A lock that the remote access needs and that is held from the one access to the other.
  bool is_guarded(const BrokenScope& scope) const {
    bool guarded = false;
    const Node first = facts_.node(scope.first);
    const Node second = facts_.node(scope.second);
    const Node remote = facts_.node(scope.remote);
    facts_.for_each_held(first.thread, first.index, [&](order::SectionId held) {
      const Section& section = facts_.section(held);
      if (section.release < second.index) return;
      facts_.for_each_held(remote.thread, remote.index, [&](order::SectionId other) {
        guarded = guarded || exclude_each_other(section, facts_.section(other));
      });
    });
    return guarded;
  }

  Shown can_break(const BrokenScope& scope) {
    Shown shown = between(scope);
    const bool half_done = writes(trace_.kind(scope.first)) && reads(trace_.kind(scope.remote)) &&
                           writes(trace_.kind(scope.second));
    if (shown.answer == Answer::yes || !half_done) return shown;
    Shown other = reads_half_done(scope);
    return other.answer == Answer::no ? shown : other;
  }

  // The remote access comes between, and does what it did.
  Shown between(const BrokenScope& scope) {
    Shown shown = asker_.ask({.asked = {scope.second},
                              .included = {scope.remote},
                              .order = std::pair(scope.first, scope.remote)});
    shown.question = scope.second;
    if (shown.answer == Answer::yes) shown.sequence.push_back(scope.second);
    return shown;
  }

  // The remote access is in question and reads what is half done; then the other half is done.
  Shown reads_half_done(const BrokenScope& scope) {
    Setting setting{.asked = {scope.remote}, .stopped = {scope.second}};
    setting.goal = [&](Machine& machine) {
      machine.ask(scope.remote);
      const bool possible = machine.can_happen(scope.second);
      machine.take_back();
      return possible;
    };
    Shown shown = asker_.ask(setting);
    shown.question = scope.remote;
    if (shown.answer == Answer::yes) {
      shown.sequence.push_back(scope.remote);
      shown.sequence.push_back(scope.second);
    }
    return shown;
  }

  const Facts& facts_;
  const Trace& trace_;
  AtomicityOptions options_;
  const std::function<void(AtomicityAnswer)>& tell_;
  Places places_;
  Asker asker_;
  std::vector<std::vector<Remotes>> by_cell_;
  absl::flat_hash_map<std::uint32_t, EventId> last_of_cell_;  // in the scope that is looked at
  absl::flat_hash_set<std::pair<std::uint32_t, std::uint32_t>> asked_;  // in several scopes, maybe
  absl::flat_hash_map<ThreePlaces, std::uint64_t> left_of_;
  AtomicityCounters counters_;
};

}  // namespace

std::vector<AtomicScope> locked_scopes(const Facts& facts) {
  std::vector<AtomicScope> result;
  for (order::SectionId id : indices<order::SectionId>(facts.section_count())) {
    const Section& section = facts.section(id);
    result.push_back(
        {section.thread, section.acquire, std::min(section.release, facts.length(section.thread))});
  }
  return result;
}

std::vector<AtomicScope> calls_of(const Facts& facts, const std::string& function) {
  const Tables& tables = facts.trace().tables;
  Table<SiteId, bool> inside(tables.sites.size(), false);
  for (SiteId site : indices(tables.sites)) {
    for (SiteId at = site; at.valid() && !inside[site]; at = tables.sites[at].caller) {
      const StringId name = tables.sites[at].function;
      inside[site] = name.valid() && tables.strings[name] == function;
    }
  }
  std::vector<AtomicScope> result;
  for (ThreadId t : indices<ThreadId>(facts.thread_count())) {
    const auto events = facts.derived().order.events_of(t);
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      const SiteId site = facts.trace().site(events[i]);
      if (!site.valid() || !inside[site]) continue;
      if (result.empty() || result.back().thread != t || result.back().last != i) {
        result.push_back({t, i, i});
      }
      result.back().last = i + 1;
    }
  }
  return result;
}

AtomicityCounters Atomicity::ask_all(const std::vector<AtomicScope>& scopes,
                                     const std::function<void(AtomicityAnswer)>& tell) const {
  ScopeQuestions questions(facts_, options_, tell);
  for (const AtomicScope& scope : scopes) questions.ask(scope);
  return questions.counters();
}

}  // namespace heddle::predict
