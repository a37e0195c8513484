#include "explore/optimal.h"

#include <algorithm>
#include <utility>

namespace heddle {

OptimalExplorer::OptimalExplorer(System& system, ExplorationListener& listener,
                                 std::optional<Section::Length> length,
                                 const ExploreOptions& options)
    : length_(length),
      keep_sections_(options.keep_sections),
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

bool OptimalExplorer::has_children_left(std::size_t depth) const {
  const Frame& frame = frames_[depth];
  EventSet asleep = frame.asleep | frame.taken;
  for (EventSet left = frame.untried; left != 0; left &= left - 1) {
    const EventSet event = left & (~left + 1);
    const Section& section = section_of(frame);
    const EventSet still_asleep = asleep & ~section.dependent_with(event);
    if (section.can_wake_all(frame.done | event, still_asleep)) return true;
    asleep |= event;
  }
  return !frame.branches.empty();
}

// ----- the walk ----------------------------------------------------------------------------

void OptimalExplorer::Frame::reset(SleepSets::Mark mark) {
  leave_section();
  branches = {};
  sleepers = mark;
}

void OptimalExplorer::Frame::leave_section() {
  section = 0;
  opened_here = false;
  done = next = untried = asleep = taken = 0;
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
    frame.leave_section();
  }
  if (!frame.branches.empty()) return;
  if (walker_.at_end()) {
    const bool is_first = std::exchange(is_first_execution_, false);
    if (is_first && length_ && !keep_sections_ && !sections_pay_off()) {
      return start_again_without_sections();
    }
    walker_.visit();
    reverse_races();
    return;
  }
  open_section(frame);
}

bool OptimalExplorer::advance() {
  if (chosen_) {
    descend_as_chosen();
    return true;
  }
  if (present().section != 0) {
    if (advance_in_section()) return true;
    finish_section_orders(present());
  }
  Frame& frame = present();
  while (!frame.branches.empty()) {
    WakeupTrees::Taken taken = trees_.take_first(frame.branches);
    if (walker_.system().readiness(taken.transition.thread) == Readiness::ready) {
      descend(taken);
      return true;
    }
    ++counters_.blocked;  // what was to come first cannot; nothing to reverse
    trees_.drop(taken.below);
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

// The present frame is finished, and so may be others above it.
bool OptimalExplorer::leave() {
  do {
    if (depth_-- == 0) return false;
    if (present().is_finished() && present().opened_here) --open_count_;
  } while (present().is_finished());
  sleep_sets_.release(frames_[depth_ + 1].sleepers);
  const auto e = static_cast<EventIndex>(depth_);
  Frame& frame = present();
  if (frame.taken != 0) {
    frame.asleep |= frame.taken;
    frame.taken = 0;
  } else {
    sleep_sets_.add(walker_.execution().transition(e), walker_.execution().accesses(e));
  }
  kept_ = std::min<std::size_t>(kept_, e);
  forget_races_from(e);
  walker_.rewind(e);
  return true;
}

void OptimalExplorer::descend(const WakeupTrees::Taken& branch) {
  if (branch.accesses_are_known) {
    walker_.step(branch.transition, branch.accesses, 0);
  } else {
    walker_.step(branch.transition);
  }
  enter_child(branch.below);
}

void OptimalExplorer::descend_as_chosen() {
  const Transition transition = *std::exchange(chosen_, std::nullopt);
  walker_.step(transition, operation_.accesses, 0);
  enter_child({});
}

// The state after the step that was just taken.
void OptimalExplorer::enter_child(WakeupTrees::Branches branches) {
  const auto e = static_cast<EventIndex>(walker_.execution().size() - 1);
  const SleepSets::Mark parent = present().sleepers;
  Frame& child = push_frame();
  sleep_sets_.inherit(parent, walker_.execution().thread(e), walker_.execution().accesses(e),
                      counters_);
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
  frame.leave_section();
}

void OptimalExplorer::choose_one_thread(Frame& frame) {
  const ThreadId first = walker_.first_ready();
  for (ThreadId thread = first; thread < walker_.end_of_threads(); thread = thread.next()) {
    if (thread != first && walker_.system().readiness(thread) != Readiness::ready) continue;
    if (sleep_sets_.contains(frame.sleepers, sleep_sets_.mark(), {thread, 0})) continue;
    operation_.clear();
    walker_.system().next_operation(thread, operation_);
    if (operation_.choices == 1) {
      chosen_ = {thread, 0};
      return;
    }
    // An operation that can happen in several ways is several transitions.
    for (std::uint32_t choice = 0; choice < operation_.choices; ++choice) {
      trees_.add_transition(frame.branches, {thread, choice}, operation_.accesses);
    }
    return;
  }
  ++counters_.blocked;
}

bool OptimalExplorer::sections_pay_off() {
  if (in_one_section()) return true;
  const Execution& execution = walker_.execution();
  std::size_t largest = 0;
  std::size_t length = 0;
  for (EventIndex e = 0; e < execution.size(); ++e) {
    const bool goes_on = e > 0 && execution.section(e) == execution.section(e - 1);
    length = execution.section(e) == 0 ? 0 : goes_on ? length + 1 : 1;
    largest = std::max(largest, length);
  }
  if (4 * largest < 3 * execution.size()) return false;
  find_new_races();
  return open_races_.empty();
}

void OptimalExplorer::start_again_without_sections() {
  length_.reset();
  open_count_ = 0;
  for (std::size_t depth = 0; depth <= depth_; ++depth) trees_.drop(frames_[depth].branches);
  depth_ = 0;
  frames_[0].reset({});
  forget_races_from(0);
  walker_.rewind(0);
  enter();
}

}  // namespace heddle
