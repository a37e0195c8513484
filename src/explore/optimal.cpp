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
      races_(options.memory),
      predecessors_(options.memory),
      reversal_(options.memory),
      memory_(options.memory) {}

bool OptimalExplorer::run() {
  frames_.emplace_back();
  enter();
  while (!frames_.empty() && !walker_.stopped()) {
    if (!advance()) leave();
  }
  return !walker_.stopped();
}

// ----- the walk ----------------------------------------------------------------------------

void OptimalExplorer::enter() {
  Frame& frame = frames_.back();
  if (frame.section != 0) {
    if (frame.done != section_of(frame).all()) return;
    close_section(frame);
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
  if (frames_.back().section != 0) {
    if (advance_in_section()) return true;
    finish_section_orders(frames_.back());
  }
  Frame& frame = frames_.back();
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
  Frame& frame = frames_.back();
  const Section& section = section_of(frame);
  for (; frame.next_thread < section.thread_count(); ++frame.next_thread) {
    const EventSet event = section.next(frame.next_thread, frame.done);
    if (event == 0 || (event & frame.asleep) != 0) continue;
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

// The section's orders through this frame are done. Who sleeps here goes on sleeping as
// in any other frame, and sequences that no order took become branches.
void OptimalExplorer::finish_section_orders(Frame& frame) {
  const Section& section = section_of(frame);
  for (EventSet left = frame.asleep; left != 0; left &= left - 1) {
    const EventSet event = left & (~left + 1);
    fall_asleep({section.thread_of(event), 0}, section.accesses(event));
  }
  for (SequencePointer& sequence : frame.waiting) {
    trees_.insert(frame.branches, *sequence, counters_);
    spare_.push_back(std::move(sequence));
  }
  frame.waiting.clear();
  if (frame.opened_here) --open_count_;
  frame.section = 0;
  frame.opened_here = false;
}

void OptimalExplorer::leave() {
  wake_from(frames_.back().first_sleeper);
  frames_.pop_back();
  if (frames_.empty()) return;
  const auto e = static_cast<EventIndex>(frames_.size() - 1);
  Frame& parent = frames_.back();
  if (parent.taken != 0) {
    parent.asleep |= parent.taken;
    parent.taken = 0;
  } else {
    fall_asleep(walker_.execution().transition(e), walker_.execution().accesses(e));
  }
  walker_.rewind(e);
}

// ----- sections ----------------------------------------------------------------------------

void OptimalExplorer::open_section(Frame& frame) {
  const bool nobody_sleeps = frame.first_sleeper == sleepers_.size();
  if (!length_ || !nobody_sleeps) return choose_one_thread(frame);
  if (open_count_ == open_.size()) open_.push_back(std::make_unique<OpenSection>());
  OpenSection& opened = *open_[open_count_];
  opened.section.build(walker_.system(), *length_, counters_);
  if (opened.section.all() == 0) return choose_one_thread(frame);
  opened.number = next_section_number_++;
  ++counters_.sections;
  ++open_count_;
  frame.section = static_cast<std::uint32_t>(open_count_);
  frame.opened_here = true;
}

// The frame stands where its section ends: every sequence that came so far is covered,
// since from here everything is explored.
void OptimalExplorer::close_section(Frame& frame) {
  for (SequencePointer& sequence : frame.waiting) spare_.push_back(std::move(sequence));
  frame.waiting.clear();
  frame.section = 0;
  frame.done = frame.asleep = 0;
  frame.next_thread = 0;
}

void OptimalExplorer::choose_one_thread(Frame& frame) {
  for (ThreadId thread : indices<ThreadId>(walker_.system().thread_count())) {
    if (walker_.system().readiness(thread) != Readiness::ready) continue;
    if (is_asleep(frame, {thread, 0})) continue;
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

void OptimalExplorer::descend(Transition transition, WakeupTrees::Branches branches) {
  walker_.step(transition, 0);
  const auto first_sleeper = static_cast<std::uint32_t>(sleepers_.size());
  inherit_sleepers(frames_.back(), walker_.operation().accesses, transition.thread);
  Frame& child = frames_.emplace_back();
  child.first_sleeper = first_sleeper;
  child.branches = branches;
  enter();
}

void OptimalExplorer::descend_in_section(EventSet event) {
  Frame& parent = frames_.back();
  const Section& section = section_of(parent);
  const Transition transition = {section.thread_of(event), 0};
  parent.taken = event;
  ++parent.next_thread;
  walker_.step(transition, number_of(parent));

  Frame child;
  child.section = parent.section;
  child.done = parent.done | event;
  child.asleep = parent.asleep & ~section.dependent_with(event);
  child.first_sleeper = static_cast<std::uint32_t>(sleepers_.size());
  hand_down(parent, child, transition, section.accesses(event));
  frames_.push_back(std::move(child));
  enter();
}

// ----- sleep sets --------------------------------------------------------------------------

std::span<const Access> OptimalExplorer::accesses_of(const Sleeper& sleeper) const {
  const bool last = &sleeper == &sleepers_.back();
  const std::size_t end = last ? sleeper_accesses_.size() : (&sleeper + 1)->first_access;
  return {sleeper_accesses_.data() + sleeper.first_access, sleeper_accesses_.data() + end};
}

void OptimalExplorer::fall_asleep(Transition transition, std::span<const Access> accesses) {
  sleepers_.push_back({transition, static_cast<std::uint32_t>(sleeper_accesses_.size())});
  sleeper_accesses_.insert(sleeper_accesses_.end(), accesses.begin(), accesses.end());
}

void OptimalExplorer::inherit_sleepers(const Frame& parent, std::span<const Access> accesses,
                                       ThreadId thread) {
  const std::size_t end = sleepers_.size();
  for (std::size_t i = parent.first_sleeper; i < end; ++i) {
    if (sleepers_[i].transition.thread == thread) continue;
    ++counters_.dependency_checks;
    if (dependent(accesses_of(sleepers_[i]), accesses)) continue;
    const auto inherited = accesses_of(sleepers_[i]);
    const std::vector<Access> copy(inherited.begin(), inherited.end());
    fall_asleep(sleepers_[i].transition, copy);
  }
}

void OptimalExplorer::wake_from(std::size_t first) {
  if (first == sleepers_.size()) return;
  sleeper_accesses_.resize(sleepers_[first].first_access);
  sleepers_.resize(first);
}

bool OptimalExplorer::is_asleep(const Frame& frame, Transition transition) const {
  return std::any_of(sleepers_.begin() + frame.first_sleeper, sleepers_.end(),
                     [&](const Sleeper& sleeper) { return sleeper.transition == transition; });
}

bool OptimalExplorer::covered_by_sleepers(const Frame& frame, const Sequence& sequence) {
  const auto place = static_cast<std::size_t>(&frame - frames_.data());
  const std::size_t end =
      place + 1 < frames_.size() ? frames_[place + 1].first_sleeper : sleepers_.size();
  for (std::size_t i = frame.first_sleeper; i < end; ++i) {
    const Sleeper& sleeper = sleepers_[i];
    if (sequence.weak_initial(sleeper.transition, accesses_of(sleeper), counters_)) return true;
  }
  if (frame.section == 0) return false;
  const Section& section = section_of(frame);
  for (EventSet left = frame.asleep; left != 0; left &= left - 1) {
    const EventSet event = left & (~left + 1);
    const Transition transition = {section.thread_of(event), 0};
    if (sequence.weak_initial(transition, section.accesses(event), counters_)) return true;
  }
  return false;
}

// ----- races -------------------------------------------------------------------------------

void OptimalExplorer::reverse_races() {
  Execution& execution = walker_.execution();
  if (!in_one_section()) {
    execution.order_up_to(execution.size(), counters_);
    for (EventIndex e = 0; e < execution.size(); ++e) {
      reverse_races_of(execution.transition(e), execution.accesses(e),
                       execution.previous_in_thread(e), execution.predecessors_of(e), e,
                       execution.section(e));
    }
  }
  for (ThreadId thread : indices<ThreadId>(walker_.system().thread_count())) {
    if (walker_.system().readiness(thread) != Readiness::blocked) continue;
    execution.order_up_to(execution.size(), counters_);
    operation_.clear();
    walker_.system().next_operation(thread, operation_);
    predecessors_.clear();
    execution.predecessors(thread, operation_.accesses, predecessors_, counters_);
    reverse_races_of({thread, 0}, operation_.accesses, execution.last_of(thread), predecessors_,
                     Execution::kNone, 0);
  }
}

// Then there is no race to be looked at: the section's orders are all explored anyway.
bool OptimalExplorer::in_one_section() const {
  const Execution& execution = const_cast<OptimalExplorer*>(this)->walker_.execution();
  if (execution.size() == 0) return true;
  const auto last = static_cast<EventIndex>(execution.size() - 1);
  return execution.section(0) != 0 && execution.section(0) == execution.section(last);
}

void OptimalExplorer::reverse_races_of(Transition last, std::span<const Access> accesses,
                                       EventIndex previous,
                                       std::span<const Execution::Predecessor> predecessors,
                                       EventIndex self, std::uint32_t section) {
  races_.clear();
  find_races(walker_.execution(), previous, predecessors, section, races_, counters_);
  for (const Race& race : races_) reverse(race, last, accesses, self);
}

// Inserts, before the earlier event of the race, all that happened after it without
// depending on it, and then the later one.
void OptimalExplorer::reverse(const Race& race, Transition last, std::span<const Access> accesses,
                              EventIndex self) {
  const Execution& execution = walker_.execution();
  reversal_.clear();
  for (EventIndex e = race.earlier + 1; e < execution.size(); ++e) {
    if (e == self || execution.before(race.earlier, e)) continue;
    reversal_.append(execution.transition(e), execution.accesses(e));
  }
  reversal_.append(last, accesses);
  Frame& frame = frames_[race.earlier];
  if (covered_by_sleepers(frame, reversal_)) return;
  if (race.tentative && !walker_.can_happen(race.earlier, reversal_)) return;
  insert(frame, reversal_);
}

void OptimalExplorer::insert(Frame& frame, Sequence& sequence) {
  if (frame.section == 0) return trees_.insert(frame.branches, sequence, counters_);
  const bool known = std::any_of(frame.waiting.begin(), frame.waiting.end(),
                                 [&](const SequencePointer& other) { return *other == sequence; });
  if (known) return;
  SequencePointer copy = take_spare();
  *copy = sequence;
  frame.waiting.push_back(std::move(copy));
}

// Gives the child those sequences that can begin with the transition to it.
void OptimalExplorer::hand_down(Frame& from, Frame& to, Transition transition,
                                std::span<const Access> accesses) {
  for (SequencePointer& sequence : from.waiting) {
    const auto initial = sequence->weak_initial(transition, accesses, counters_);
    if (!initial) continue;
    if (*initial < sequence->size()) sequence->erase(*initial);
    (sequence->empty() ? spare_ : to.waiting).push_back(std::move(sequence));
  }
  std::erase(from.waiting, nullptr);
}

OptimalExplorer::SequencePointer OptimalExplorer::take_spare() {
  if (spare_.empty()) return std::make_unique<Sequence>(memory_);
  SequencePointer sequence = std::move(spare_.back());
  spare_.pop_back();
  return sequence;
}

}  // namespace heddle
