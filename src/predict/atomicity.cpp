#include "predict/atomicity.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "predict/races.h"

namespace heddle::predict {
namespace {

using order::Machine;
using order::Node;
using order::Section;

bool breaks(const Trace& trace, const BrokenScope& scope) {
  const EventKind a1 = trace.kind(scope.first);
  const EventKind b = trace.kind(scope.remote);
  const EventKind a2 = trace.kind(scope.second);
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
        asker_(facts, options.budget) {
    find_accesses();
  }

  void ask(const AtomicScope& scope) {
    const auto events = facts_.derived().order.events_of(scope.thread);
    for (std::uint32_t j = scope.first; j < scope.last; ++j) {
      if (!is_access(trace_.kind(events[j]))) continue;
      for (std::uint32_t i = j; i-- > scope.first;) {
        if (!is_access(trace_.kind(events[i])) || !overlap(events[i], events[j])) continue;
        ask_remotes(events[i], events[j]);
        if (options_.neighbours_only) break;
      }
    }
  }

  const AtomicityCounters& counters() const { return counters_; }

 private:
  using Sites = std::array<SiteId, 3>;

  bool overlap(EventId e, EventId f) const {
    return facts_.derived().cells.overlap(facts_.location_of(e), facts_.location_of(f));
  }

  void find_accesses() {
    by_cell_.resize(facts_.derived().cells.size());
    for (EventId e : trace_.events()) {
      if (!is_access(trace_.kind(e))) continue;
      for (CellId cell : facts_.cells(e)) by_cell_[cell.value()].push_back(e);
    }
  }

  // When the time is up, what is left counts as left out: all pairs of a long trace are many.
  void ask_remotes(EventId first, EventId second) {
    if (options_.budget.is_over()) {
      ++counters_.left_out;
      return;
    }
    if (!asked_.insert({first, second}).second) return;
    std::set<EventId> remotes;
    for (CellId cell : facts_.cells(first)) {
      const auto cells = facts_.cells(second);
      if (cell < *cells.begin() || !(cell < *cells.end())) continue;
      for (EventId e : by_cell_[cell.value()]) {
        if (trace_.thread(e) != trace_.thread(first)) remotes.insert(e);
      }
    }
    for (EventId remote : remotes) ask({first, remote, second});
  }

  void ask(const BrokenScope& scope) {
    if (!breaks(trace_, scope)) return;
    ++counters_.candidates;
    const Sites sites{trace_.site(scope.first), trace_.site(scope.remote),
                      trace_.site(scope.second)};
    std::uint64_t& asked = asked_of_[sites];
    if (options_.per_sites != 0 && asked >= options_.per_sites) {
      ++counters_.left_out;
      return;
    }
    ++asked;
    Shown shown = can_break(scope);
    if (shown.answer == Answer::yes && options_.per_sites != 0) asked = options_.per_sites;
    tell_({scope, std::move(shown)});
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
    if (is_guarded(scope)) return {};
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
  Asker asker_;
  std::vector<std::vector<EventId>> by_cell_;
  std::set<std::pair<EventId, EventId>> asked_;  // a pair may stand in several scopes
  std::map<Sites, std::uint64_t> asked_of_;
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
