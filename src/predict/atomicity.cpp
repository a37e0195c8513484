#include "predict/atomicity.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include "predict/access_classes.h"
#include "predict/user_names.h"

namespace heddle::predict {
namespace {

using order::Machine;
using order::Node;
using order::Section;

bool breaks(EventKind a1, EventKind b, EventKind a2) {
  return (writes(b) && (reads(a2) || (reads(a1) && writes(a2)))) ||
         (writes(a1) && reads(b) && writes(a2));
}

class ScopeQuestions {
 public:
  ScopeQuestions(const Facts& facts, const AtomicityOptions& options,
                 const std::function<void(AtomicityAnswer)>& tell)
      : facts_(facts),
        trace_(facts.trace()),
        options_(options),
        tell_(tell),
        places_(facts),
        accesses_(facts, places_),
        asker_(facts, options.budget) {}

  void ask(const AtomicScope& scope) {
    options_.neighbours_only ? ask_neighbours(scope) : ask_pairs(scope);
  }

  const AtomicityCounters& counters() const { return counters_; }

 private:
  using ThreePlaces = std::array<std::uint32_t, 3>;
  using Remotes = std::span<const EventId>;

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
    const HeldId held = accesses_.held().during(first, second);
    const auto cells = facts_.cells(second);
    const CellId first_shared = std::max(*facts_.cells(first).begin(), *cells.begin());
    for (CellId cell : facts_.cells(first)) {
      if (cell < *cells.begin() || !(cell < *cells.end())) continue;
      const RemoteClasses& remote = remote_classes({cell, first_shared, trace_.thread(first),
                                                    trace_.kind(first), trace_.kind(second), held});
      counters_.candidates += remote.candidates;
      for (const AlikeAccesses* remotes : remote.not_excluded) {
        ask_remotes(first, possible(first, remotes->events, second), second);
      }
    }
  }

  // What two accesses have to have in common for the same remote ones to break them, as far as
  // that does not depend on their places in the trace.
  struct Alike {
    CellId cell;
    CellId first_shared;
    ThreadId thread;
    EventKind first;
    EventKind second;
    HeldId held;  // from the one access to the other

    friend bool operator==(const Alike&, const Alike&) = default;
    template <typename Hash>
    friend Hash AbslHashValue(Hash hash, const Alike& a) {
      return Hash::combine(std::move(hash), a.cell.value(), a.first_shared.value(),
                           a.thread.value(), a.first, a.second, a.held.value());
    }
  };
  struct RemoteClasses {
    std::uint64_t candidates = 0;
    std::vector<const AlikeAccesses*> not_excluded;  // by a lock that is held all the while
  };

  const RemoteClasses& remote_classes(const Alike& alike) {
    const auto [known, is_new] = remote_classes_.try_emplace(alike);
    if (!is_new) return known->second;
    RemoteClasses& result = known->second;
    for (const AlikeAccesses& remotes : classes_of(alike.cell)) {
      const AccessClass& shared = remotes.shared;
      // What has several cells in common with the two is looked at in the first of these.
      const CellId first_cell = *facts_.cells(remotes.events.front()).begin();
      if (alike.cell != std::max(alike.first_shared, first_cell)) continue;
      if (shared.thread == alike.thread) continue;
      if (!breaks(alike.first, shared.kind, alike.second)) continue;
      result.candidates += remotes.events.size();
      if (!accesses_.held().exclude(alike.held, shared.held))
        result.not_excluded.push_back(&remotes);
    }
    return result;
  }

  const std::vector<AlikeAccesses>& classes_of(CellId cell) {
    const auto [known, is_new] = classes_.try_emplace(cell.value());
    if (is_new) {
      const auto classes = accesses_.of(cell);
      known->second.assign(classes.begin(), classes.end());
    }
    return known->second;
  }

  // Those of a thread's accesses that neither must come before the first of the two, nor need the
  // second one before they come up. The further on in the thread, the less is true of the one and
  // the more of the other, so that a few look-ups are enough.
  Remotes possible(EventId first, Remotes remotes, EventId second) const {
    const std::uint32_t before = facts_.must_precede(first, trace_.thread(remotes.front()));
    const Node end = facts_.node(second);
    const auto comes_before = [&](EventId e) { return facts_.node(e).index < before; };
    const auto comes_up = [&](EventId e) {
      return facts_.must_precede_question(e, end.thread) <= end.index;
    };
    if (comes_before(remotes.back()) || !comes_up(remotes.front())) return {};
    const auto from = std::partition_point(remotes.begin(), remotes.end(), comes_before);
    return {from, std::partition_point(from, remotes.end(), comes_up)};
  }

  void ask_remotes(EventId first, Remotes remotes, EventId second) {
    if (remotes.empty()) return;
    std::uint64_t& left = left_of(first, remotes.front(), second);
    counters_.left_out += remotes.size();
    if (left == 0) return;
    for (EventId remote : chosen(first, remotes, second)) {
      --counters_.left_out;
      --left;
      Shown shown = can_break({first, remote, second});
      if (shown.answer == Answer::yes && options_.per_places != 0) left = 0;
      tell_({{first, remote, second}, std::move(shown)});
      if (left == 0) return;
    }
  }

  // How many questions about these three places may still be asked.
  std::uint64_t& left_of(EventId first, EventId remote, EventId second) {
    const std::uint64_t most =
        options_.per_places != 0 ? options_.per_places : std::numeric_limits<std::uint64_t>::max();
    const ThreePlaces places{places_.of(first).value(), places_.of(remote).value(),
                             places_.of(second).value()};
    return left_of_.try_emplace(places, most).first->second;
  }

  // All, or those nearest to the two, which have the best chances: the last one before them, and
  // from there on until one comes after them.
  Remotes chosen(EventId first, Remotes remotes, EventId second) const {
    if (options_.per_places == 0) return remotes;
    auto from = std::lower_bound(remotes.begin(), remotes.end(), first);
    auto to = std::upper_bound(from, remotes.end(), second);
    if (from != remotes.begin()) --from;
    if (to != remotes.end()) ++to;
    return {from, to};
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
  AccessClasses accesses_;
  Asker asker_;
  // By cell. What the vectors hold stays where it is.
  absl::flat_hash_map<std::uint32_t, std::vector<AlikeAccesses>> classes_;
  absl::flat_hash_map<Alike, RemoteClasses> remote_classes_;
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
      inside[site] = name.valid() && names_function(function, tables.strings[name]);
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
