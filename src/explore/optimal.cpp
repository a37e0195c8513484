#include "explore/optimal.h"

#include <algorithm>
#include <utility>

namespace heddle {

OptimalExplorer::OptimalExplorer(System& system, ExplorationListener& listener,
                                 std::optional<Section::Length> length,
                                 const ExploreOptions& options)
    : length_(length),
      walker_(system, listener, counters_, options),
      trees_(options.memory),
      sleep_sets_(options.memory),
      open_races_(options.memory),
      first_race_(options.memory),
      races_(options.memory),
      predecessors_(options.memory),
      reversal_(walker_.execution(), options.memory) {}

bool OptimalExplorer::run() {
  frames_.resize(1);
  enter();
  while (!walker_.stopped()) {
    if (!advance() && !leave()) return true;
  }
  return false;
}

// ----- the walk ----------------------------------------------------------------------------

void OptimalExplorer::Frame::reset(SleepSets::Mark mark) {
  section = 0;
  opened_here = false;
  done = next = untried = asleep = taken = 0;
  branches = {};
  sleepers = mark;
}

OptimalExplorer::Frame& OptimalExplorer::push_frame() {
  if (++depth_ == frames_.size()) frames_.emplace_back();
  present().reset(sleep_sets_.mark());
  return present();
}

void OptimalExplorer::enter() {
  Frame& frame = present();
  if (frame.section != 0) {
    if (frame.next != 0) return;
    frame.section = 0;
    frame.done = 0;
  }
  if (!frame.branches.empty()) return;
  if (walker_.at_end()) {
    walker_.visit();
    reverse_races();
    return;
  }
  open_section(frame);
}

bool OptimalExplorer::advance() {
  if (present().section != 0) {
    if (advance_in_section()) return true;
    finish_section_orders(present());
  }
  Frame& frame = present();
  while (!frame.branches.empty()) {
    const auto [transition, below] = trees_.take_first(frame.branches);
    if (walker_.system().readiness(transition.thread) != Readiness::ready) {
      ++counters_.blocked;  // what was to come first cannot; nothing to reverse
      WakeupTrees::Branches rest = below;
      trees_.drop(rest);
      continue;
    }
    descend(transition, below);
    return true;
  }
  return false;
}

bool OptimalExplorer::advance_in_section() {
  Frame& frame = present();
  const Section& section = section_of(frame);
  while (frame.untried != 0) {
    const EventSet event = frame.untried & (~frame.untried + 1);
    frame.untried ^= event;
    const EventSet still_asleep = frame.asleep & ~section.dependent_with(event);
    if (!section.can_wake_all(frame.done | event, still_asleep)) {
      ++counters_.unsatisfiable_systems;
      continue;
    }
    descend_in_section(event);
    return true;
  }
  return false;
}

bool OptimalExplorer::leave() {
  sleep_sets_.release(present().sleepers);
  if (depth_ == 0) return false;
  const auto e = static_cast<EventIndex>(--depth_);
  Frame& frame = present();
  if (frame.taken != 0) {
    frame.asleep |= frame.taken;
    frame.taken = 0;
  } else {
    sleep_sets_.add(walker_.execution().transition(e), walker_.execution().accesses(e));
  }
  forget_races_from(e);
  walker_.rewind(e);
  return true;
}

void OptimalExplorer::descend(Transition transition, WakeupTrees::Branches branches) {
  walker_.step(transition);
  const SleepSets::Mark parent = present().sleepers;
  Frame& child = push_frame();
  sleep_sets_.inherit(parent, transition.thread, walker_.operation().accesses, counters_);
  child.branches = branches;
  enter();
}

// ----- sections ----------------------------------------------------------------------------

void OptimalExplorer::open_section(Frame& frame) {
  if (!length_ || !sleep_sets_.empty(frame.sleepers)) return choose_one_thread(frame);
  if (open_count_ == open_.size()) open_.push_back(std::make_unique<OpenSection>());
  OpenSection& opened = *open_[open_count_];
  opened.section.build(walker_.system(), *length_, counters_);
  if (opened.section.all() == 0) return choose_one_thread(frame);
  opened.number = next_section_number_++;
  ++counters_.sections;
  ++open_count_;
  frame.section = static_cast<std::uint32_t>(open_count_);
  frame.opened_here = true;
  frame.next = frame.untried = opened.section.first();
}

void OptimalExplorer::descend_in_section(EventSet event) {
  const Section& section = section_of(present());
  const Transition transition = {section.thread_of(event), 0};
  walker_.step(transition, section.accesses(event), number_of(present()));
  Frame& child = push_frame();
  Frame& parent = frames_[depth_ - 1];
  parent.taken = event;
  child.section = parent.section;
  child.done = parent.done | event;
  child.next = (parent.next ^ event) | section.after(event);
  child.asleep = parent.asleep & ~section.dependent_with(event);
  child.untried = child.next & ~child.asleep;
  child.branches = trees_.take(parent.branches, transition);
  enter();
}

// The section's orders through this frame are done. What was inserted besides comes next,
// with those who sleep here as in any other frame.
void OptimalExplorer::finish_section_orders(Frame& frame) {
  if (!frame.branches.empty()) {
    const Section& section = section_of(frame);
    for (EventSet left = frame.asleep; left != 0; left &= left - 1) {
      const EventSet event = left & (~left + 1);
      sleep_sets_.add({section.thread_of(event), 0}, section.accesses(event));
    }
  }
  if (frame.opened_here) --open_count_;
  frame.section = 0;
  frame.opened_here = false;
}

void OptimalExplorer::choose_one_thread(Frame& frame) {
  for (ThreadId thread : indices<ThreadId>(walker_.system().thread_count())) {
    if (walker_.system().readiness(thread) != Readiness::ready) continue;
    if (sleep_sets_.contains(frame.sleepers, sleep_sets_.mark(), {thread, 0})) continue;
    operation_.clear();
    walker_.system().next_operation(thread, operation_);
    // An operation that can happen in several ways is several transitions.
    for (std::uint32_t choice = 0; choice < operation_.choices; ++choice) {
      trees_.add_transition(frame.branches, {thread, choice}, operation_.accesses);
    }
    return;
  }
  ++counters_.blocked;
}

// ----- races -------------------------------------------------------------------------------

void OptimalExplorer::reverse_races() {
  if (!in_one_section()) {
    find_new_races();
    for (OpenRace& open : open_races_) {
      if (open.settled) continue;
      open.settled = reverse(open.race, later_operation(walker_.execution(), open.later));
    }
  }
  reverse_races_of_blocked_threads();
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
    races_.clear();
    find_races(execution, execution.previous_in_thread(e), execution.predecessors_of(e),
               execution.section(e), races_, counters_);
    for (const Race& race : races_) open_races_.push_back({race, e});
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
    for (const Race& race : races_) reverse(race, later);
  }
}

// Inserts, before the earlier event of the race, all that happened after it without
// depending on it, and then the later one.
bool OptimalExplorer::reverse(const Race& race, const LaterOperation& later) {
  if (begins_with_sleeper(race.earlier, later.event)) return true;
  reversal_.assign(race.earlier, later);
  const Coverage coverage = covered_by_sleepers(race.earlier, reversal_);
  if (coverage != Coverage::none) return coverage == Coverage::every_reversal;
  if (race.tentative) {
    if (!walker_.can_happen(race.earlier, reversal_)) return false;
    reversal_.need_everything();
  }
  return insert(frames_[race.earlier], reversal_);
}

// Whether something before the later event can begin the reversal and sleeps: the usual
// case, and the quickest to see.
bool OptimalExplorer::begins_with_sleeper(EventIndex earlier, EventIndex later) {
  const SleepSets::Mark first = frames_[earlier].sleepers;
  const SleepSets::Mark end = end_of_sleepers(earlier);
  if (first.sleeper == end.sleeper) return false;
  const Execution& execution = walker_.execution();
  for (EventIndex e = earlier + 1; e < later; ++e) {
    if (!execution.is_free_from(earlier, e)) continue;
    if (sleep_sets_.contains(first, end, execution.transition(e))) return true;
  }
  return false;
}

SleepSets::Mark OptimalExplorer::end_of_sleepers(std::size_t depth) const {
  return depth < depth_ ? frames_[depth + 1].sleepers : sleep_sets_.mark();
}

// If it is not covered, sees to it that the reversal wakes all who sleep there.
OptimalExplorer::Coverage OptimalExplorer::covered_by_sleepers(std::size_t depth,
                                                               Reversal& reversal) {
  const auto coverage = [&](Reversal::Place place) {
    return place < reversal.end() && reversal.is_lasting(place) ? Coverage::every_reversal
                                                                : Coverage::this_reversal;
  };
  const Frame& frame = frames_[depth];
  const SleepSets::Mark end = end_of_sleepers(depth);
  if (const auto place = sleep_sets_.weak_initial(frame.sleepers, end, reversal, counters_)) {
    return coverage(*place);
  }
  if (frame.section != 0) {
    const Section& section = section_of(frame);
    for (EventSet left = frame.asleep; left != 0; left &= left - 1) {
      const EventSet event = left & (~left + 1);
      const Transition transition = {section.thread_of(event), 0};
      const auto place = reversal.weak_initial(transition, section.accesses(event), counters_);
      if (place) return coverage(*place);
      reversal.need_waker_of(transition, section.accesses(event), counters_);
    }
  }
  sleep_sets_.need_wakers(frame.sleepers, end, reversal, counters_);
  return Coverage::none;
}

bool OptimalExplorer::insert(Frame& frame, Reversal& reversal) {
  if (frame.section == 0) return trees_.insert(frame.branches, reversal, counters_);
  return insert_in_section(frame, reversal);
}

// The section's orders yet to come are branches too, before all others, only that they are
// not written down. So a reversal is followed along them as along any branch; where it
// leaves them, what is left of it is written down, below the way that led there.
bool OptimalExplorer::insert_in_section(Frame& frame, Reversal& reversal) {
  SectionPlace place = {frame.done, frame.next, frame.untried, frame.asleep | frame.taken};
  bool lasting = true;
  path_.clear();
  while (const EventSet event = follow_section(section_of(frame), place, reversal, lasting)) {
    if (place.next == 0) return lasting;  // from the section's end everything is explored
    const Section& section = section_of(frame);
    path_.push_back({{section.thread_of(event), 0}, section.accesses(event)});
  }
  return trees_.insert(trees_.below(frame.branches, path_), reversal, counters_) && lasting;
}

// Goes on to the first child that can begin the reversal; 0 if there is none.
EventSet OptimalExplorer::follow_section(const Section& section, SectionPlace& place,
                                         Reversal& reversal, bool& lasting) {
  for (; place.untried != 0; place.untried &= place.untried - 1) {
    const EventSet event = place.untried & (~place.untried + 1);
    const EventSet still_asleep = place.asleep & ~section.dependent_with(event);
    if (!section.can_wake_all(place.done | event, still_asleep)) continue;
    const Transition transition = {section.thread_of(event), 0};
    const auto initial = reversal.weak_initial(transition, section.accesses(event), counters_);
    if (!initial) {
      reversal.need_waker_of(transition, section.accesses(event), counters_);
      place.asleep |= event;
      continue;
    }
    const bool inside = *initial < reversal.end();
    lasting = lasting && inside && reversal.is_lasting(*initial);
    if (inside) reversal.take(*initial);
    place.done |= event;
    place.next = (place.next ^ event) | section.after(event);
    place.asleep = still_asleep;
    place.untried = place.next & ~still_asleep;
    return event;
  }
  return 0;
}

}  // namespace heddle
