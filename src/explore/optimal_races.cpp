// The races of a maximal execution, and what becomes of their reversals; see optimal.h.
#include <algorithm>
#include <bit>

#include "explore/dependence.h"
#include "explore/optimal.h"

namespace heddle {

void OptimalExplorer::reverse_races() {
  if (!in_one_section()) {
    find_new_races();
    for (OpenRace& open : open_races_) {
      if (open.settled_by >= kept_) reverse(open, later_operation(walker_.execution(), open.later));
    }
    kept_ = walker_.execution().size();
  }
  if (walker_.ends_with(Readiness::blocked)) reverse_races_of_blocked_threads();
}

// Then there is no race to be looked at: the section's orders are all explored anyway.
bool OptimalExplorer::in_one_section() {
  const Execution& execution = walker_.execution();
  if (execution.size() == 0) return true;
  const auto last = static_cast<EventIndex>(execution.size() - 1);
  return execution.section(0) != 0 && execution.section(0) == execution.section(last);
}

void OptimalExplorer::find_new_races() {
  Execution& execution = walker_.execution();
  execution.order_up_to(execution.size(), counters_);
  for (auto e = static_cast<EventIndex>(first_race_.size()); e < execution.size(); ++e) {
    first_race_.push_back(static_cast<std::uint32_t>(open_races_.size()));
    if (execution.predecessors_of(e).empty()) continue;
    races_.clear();
    find_races(execution, execution.previous_in_thread(e), execution.predecessors_of(e),
               execution.section(e), races_, counters_);
    for (const Race& race : races_) {
      const bool settled = later_sleeps(race.earlier, later_operation(execution, e));
      if (!settled) open_races_.push_back({race, e});
    }
  }
}

void OptimalExplorer::forget_races_from(EventIndex e) {
  if (e >= first_race_.size()) return;
  open_races_.resize(first_race_[e]);
  first_race_.resize(e);
}

void OptimalExplorer::reverse_races_of_blocked_threads() {
  Execution& execution = walker_.execution();
  for (ThreadId thread : indices<ThreadId>(walker_.system().thread_count())) {
    if (walker_.system().readiness(thread) != Readiness::blocked) continue;
    execution.order_up_to(execution.size(), counters_);
    operation_.clear();
    walker_.system().next_operation(thread, operation_);
    predecessors_.clear();
    execution.predecessors(thread, operation_.accesses, predecessors_, counters_);
    const LaterOperation later = {{thread, 0},
                                  operation_.accesses,
                                  execution.last_of(thread),
                                  predecessors_,
                                  static_cast<EventIndex>(execution.size())};
    races_.clear();
    find_races(execution, later.previous, predecessors_, 0, races_, counters_);
    for (const Race& race : races_) {
      if (later_sleeps(race.earlier, later)) continue;
      OpenRace open = {race, later.event};
      reverse(open, later);
    }
  }
}

// Inserts, before the earlier event of the race, all that happened after it without
// depending on it, and then the later one.
void OptimalExplorer::reverse(OpenRace& open, const LaterOperation& later) {
  const EventIndex earlier = open.race.earlier;
  if (is_still_covered(open)) return;
  trees_.fetch(frames_[earlier].branches);
  reversal_.assign(earlier, later);
  if (is_covered_by_sleeper(open)) return;
  if (open.race.tentative) {
    if (!walker_.can_happen(earlier, reversal_)) return;
    reversal_.need_everything();
  }
  visit_sleepers(earlier, [&](SleeperName name) {
    const auto [transition, accesses] = sleeper(frames_[earlier], name);
    reversal_.need_waker_of(transition, accesses, counters_);
    return false;
  });
  const Reversal::Place last = insert(frames_[earlier], reversal_);
  if (last < reversal_.end()) open.settled_by = last;
}

// The usual case, and quickly seen: the later event sleeps where the earlier one happened,
// and needs nothing that happened since.
bool OptimalExplorer::later_sleeps(EventIndex earlier, const LaterOperation& later) const {
  const Execution& execution = walker_.execution();
  const auto needs = [&](EventIndex e) {
    return e != Execution::kNone && e > earlier && !execution.before(earlier, e);
  };
  if (needs(later.previous)) return false;
  for (const Execution::Predecessor& predecessor : later.predecessors) {
    if (needs(predecessor.event)) return false;
  }
  bool sleeps = false;
  visit_sleepers(earlier, [&](SleeperName name) {
    sleeps = sleeper(frames_[earlier], name).transition == later.transition;
    return sleeps;
  });
  return sleeps;
}

// Whether what is new in this execution is independent of the sleeper that covered, from
// outside, the reversal in the last one.
bool OptimalExplorer::is_still_covered(const OpenRace& open) {
  if (!open.outside.exists()) return false;
  const Execution& execution = walker_.execution();
  const EventIndex earlier = open.race.earlier;
  const auto [transition, accesses] = sleeper(frames_[earlier], open.outside);
  for (auto e = static_cast<EventIndex>(kept_); e < execution.size(); ++e) {
    if (execution.before(earlier, e)) continue;
    if (execution.thread(e) == transition.thread) return false;
    ++counters_.dependency_checks;
    if (dependent(execution.accesses(e), accesses)) return false;
  }
  return true;
}

template <typename Visit>
void OptimalExplorer::visit_sleepers(std::size_t depth, Visit visit) const {
  const Frame& frame = frames_[depth];
  const std::uint32_t end = end_of_sleepers(depth).sleeper;
  for (std::uint32_t i = frame.sleepers.sleeper; i < end; ++i) {
    if (visit(SleeperName{0, i})) return;
  }
  for (EventSet left = frame.asleep; left != 0; left &= left - 1) {
    if (visit(SleeperName{1, static_cast<std::uint32_t>(std::countr_zero(left))})) return;
  }
}

SleepSets::Mark OptimalExplorer::end_of_sleepers(std::size_t depth) const {
  return depth < depth_ ? frames_[depth + 1].sleepers : sleep_sets_.mark();
}

WakeupTrees::Step OptimalExplorer::sleeper(const Frame& frame, SleeperName name) const {
  if (name.in_section == 0) {
    return {sleep_sets_.transition(name.index), sleep_sets_.accesses(name.index)};
  }
  const EventSet event = EventSet{1} << name.index;
  return {{section_of(frame).thread_of(event), 0}, section_of(frame).accesses(event)};
}

bool OptimalExplorer::is_covered_by_sleeper(OpenRace& open) {
  open.settled_by = Execution::kNone;
  open.outside = {};
  bool covered = false;
  visit_sleepers(open.race.earlier, [&](SleeperName name) {
    const auto [transition, accesses] = sleeper(frames_[open.race.earlier], name);
    const auto place = reversal_.weak_initial(transition, accesses, counters_);
    if (!place) return false;
    covered = true;
    if (*place == reversal_.end()) {
      open.outside = name;
      return true;
    }
    open.settled_by = *place;
    return true;
  });
  return covered;
}

Reversal::Place OptimalExplorer::insert(Frame& frame, Reversal& reversal) {
  if (frame.section == 0) return trees_.insert(frame.branches, reversal, counters_);
  return insert_in_section(frame, reversal);
}

// The section's orders yet to come are branches too, before all others, only that they are
// not written down. So a reversal is followed along them as along any branch; where it
// leaves them, what is left of it is written down, below the way that led there.
Reversal::Place OptimalExplorer::insert_in_section(Frame& frame, Reversal& reversal) {
  SectionPlace place = {frame.done, frame.next, frame.untried, frame.asleep | frame.taken};
  Reversal::Place last = 0;
  path_.clear();
  while (const EventSet event = follow_section(section_of(frame), place, reversal, last)) {
    if (reversal.is_reversed() || place.next == 0)
      return last;  // from the section's end everything is explored
    const Section& section = section_of(frame);
    path_.push_back({{section.thread_of(event), 0}, section.accesses(event)});
  }
  return std::max(last, trees_.insert(trees_.below(frame.branches, path_), reversal, counters_));
}

// Goes on to the first child that can begin the reversal; 0 if there is none.
EventSet OptimalExplorer::follow_section(const Section& section, SectionPlace& place,
                                         Reversal& reversal, Reversal::Place& last) {
  for (; place.untried != 0; place.untried &= place.untried - 1) {
    const EventSet event = place.untried & (~place.untried + 1);
    const EventSet still_asleep = place.asleep & ~section.dependent_with(event);
    if (!section.can_wake_all(place.done | event, still_asleep)) continue;
    const Transition transition = {section.thread_of(event), 0};
    const auto initial = reversal.weak_initial(transition, section.accesses(event), counters_);
    if (!initial) {
      last = std::max(last, reversal.need_waker_of(transition, section.accesses(event), counters_));
      place.asleep |= event;
      continue;
    }
    last = std::max(last, *initial);
    if (*initial < reversal.end()) reversal.take(*initial);
    place.done |= event;
    place.next = (place.next ^ event) | section.after(event);
    place.asleep = still_asleep;
    place.untried = place.next & ~still_asleep;
    return event;
  }
  return 0;
}

}  // namespace heddle
