// The explorer behind odpor, epor and epor-sh: every Mazurkiewicz trace exactly once.
//
// It is ODPOR [Abdulla et al., POPL 2014]: at the end of every execution its races are
// reversed by inserting, where the earlier event stands, a sequence in which the later
// one comes first; wakeup trees hold these sequences, sleep sets say what is covered
// already. On top of that come sections (section.h): where nothing is prescribed, a
// search starts with all orders of a section, enumerated lazily, and races within one
// section need no check. ODPOR is the case of sections of one operation.
//
// How the two fit together. A wakeup tree wakes all who sleep along each of its branches,
// so nobody sleeps where a section begins; and a section wakes all who fall asleep in it,
// so nobody sleeps where it ends. The orders of a section are branches of a wakeup tree
// that is not written down: a sequence that is inserted at a node inside a section follows
// the first of them, not yet explored, with which it begins; if it reaches the section's
// end it is covered, and where no order takes it, it becomes a branch that is explored
// after the section's orders.
//
// Sections pay off if they are large and little has to be reversed across their ends. If the
// first execution shows that it is not so, the search starts again as ODPOR.
//
// Races are found once, when their later event is new, but may have to be reversed again
// in other maximal executions: a reversal contains all that is independent of the earlier
// event, up to the end, and another end may need another reversal. (Reversing a race only
// in the first execution that contains it visits 95 of the 96 traces of Last Zero(6).)
//
// When a race is settled. Why no trace w is missed at a state: of all that was explored
// there or sleeps, and comes too late in w, take the p that can be moved back the furthest,
// to just behind the y in w that is dependent with it. Then p, followed by w up to y, was
// explored, as nobody who sleeps there sleeps on until y. So the race of p and y was
// reversed, by a sequence that contains w up to y. What covers that sequence, a child or a
// sleeper, can as well begin w up to y; but everything explored or asleep comes too late in
// w. (If p sleeps because it was explored at an earlier state, the argument is about that
// one, and about each state on the way as long as p sleeps, which is until y happens.) So
// it only matters which children the reversal follows until the later event is taken: that
// is the same in every execution that contains those it followed, and the wakers of the
// children that it passed by. As long as the last of these events is there, the race is
// settled and needs no further look. If something outside of the reversal covers it, or
// was followed, then every execution may need another one. (To settle a race by what it
// followed, without regard to what it passed by, visits 4,312 of 4,320 traces of a program
// in tests/explore/explorers_test.cpp.)
#pragma once

#include <memory>
#include <memory_resource>
#include <optional>
#include <vector>

#include "explore/explorer.h"
#include "explore/races.h"
#include "explore/reversal.h"
#include "explore/section.h"
#include "explore/sleep_sets.h"
#include "explore/wakeup_tree.h"

namespace heddle {

class OptimalExplorer final : public Explorer {
 public:
  // Without a length, a section is one operation.
  OptimalExplorer(System& system, ExplorationListener& listener,
                  std::optional<Section::Length> length, const ExploreOptions& options);

  bool run() override;
  bool has_children_left(std::size_t depth) const override;

 private:
  using EventIndex = Execution::EventIndex;

  // A state on the path, with what is left to do there. Frame d stands after d events.
  struct Frame {
    // While the orders of a section are being enumerated:
    std::uint32_t section = 0;  // place in open_, plus one; 0 outside of one
    bool opened_here = false;   // the section begins at this frame
    EventSet done = 0;
    EventSet next = 0;     // the next operations of the section's threads
    EventSet untried = 0;  // of these
    EventSet asleep = 0;
    EventSet taken = 0;  // the one that the present child took
    // Otherwise, or afterwards:
    WakeupTrees::Branches branches;
    SleepSets::Mark sleepers;

    void reset(SleepSets::Mark mark);
    void leave_section();
    bool is_finished() const { return untried == 0 && branches.empty(); }
  };
  // A state among the orders of a section, as a frame that is not there yet.
  struct SectionPlace {
    EventSet done, next, untried, asleep;
  };
  struct OpenSection {
    Section section;
    std::uint32_t number = 0;  // unique over the whole search
  };
  // One who sleeps at a frame: by its place in the sleep sets, or as an event of the section.
  struct SleeperName {
    std::uint32_t in_section = 0;
    std::uint32_t index = Execution::kNone;
    bool exists() const { return index != Execution::kNone; }
  };
  struct OpenRace {
    Race race;
    EventIndex later;
    EventIndex settled_by = Execution::kNone;  // settled as long as this event is there
    SleeperName outside = {};                  // who covered the last reversal, if somebody did
  };

  const Section& section_of(const Frame& frame) const { return open_[frame.section - 1]->section; }
  std::uint32_t number_of(const Frame& frame) { return open_[frame.section - 1]->number; }

  Frame& present() { return frames_[depth_]; }
  Frame& push_frame();
  void enter();    // the state at which the present frame was just made
  bool advance();  // to the present frame's next child; false if there is none
  bool advance_in_section();
  bool leave();  // goes back to a frame that has something left; false if there is none

  void open_section(Frame& frame);
  void finish_section_orders(Frame& frame);
  void choose_one_thread(Frame& frame);
  // Whether most of the first execution lies in one of them, and no race leads out of it.
  bool sections_pay_off();
  void start_again_without_sections();

  void descend(const WakeupTrees::Taken& branch);
  void descend_as_chosen();
  void enter_child(WakeupTrees::Branches branches);
  void descend_in_section(EventSet event);

  // Races.
  void reverse_races();
  bool in_one_section();
  void find_new_races();
  void forget_races_from(EventIndex e);
  void reverse_races_of_blocked_threads();
  void reverse(OpenRace& open, const LaterOperation& later);
  bool later_sleeps(EventIndex earlier, const LaterOperation& later) const;
  bool is_still_covered(const OpenRace& open);
  // Calls visit with the name of each who sleeps at the frame, until it says true.
  template <typename Visit>
  void visit_sleepers(std::size_t depth, Visit visit) const;
  SleepSets::Mark end_of_sleepers(std::size_t depth) const;
  WakeupTrees::Step sleeper(const Frame& frame, SleeperName name) const;
  bool is_covered_by_sleeper(OpenRace& open);
  // Both see to it that the reversal is explored, and return the last place that this
  // depended on; the reversal's end if it is outside.
  Reversal::Place insert(Frame& frame, Reversal& reversal);
  Reversal::Place insert_in_section(Frame& frame, Reversal& reversal);
  EventSet follow_section(const Section& section, SectionPlace& place, Reversal& reversal,
                          Reversal::Place& last);

  std::optional<Section::Length> length_;
  bool keep_sections_;
  Walker walker_;
  WakeupTrees trees_;
  SleepSets sleep_sets_;
  std::vector<Frame> frames_;  // those up to depth_ are in use
  std::size_t depth_ = 0;
  std::vector<std::unique_ptr<OpenSection>> open_;  // the first open_count_ are in use
  std::size_t open_count_ = 0;
  std::uint32_t next_section_number_ = 1;
  std::pmr::vector<OpenRace> open_races_;       // by later event
  std::pmr::vector<std::uint32_t> first_race_;  // in open_races_, of each event looked at
  std::size_t kept_ = 0;  // so many events of the last maximal execution are still there
  std::pmr::vector<Race> races_;
  std::pmr::vector<Execution::Predecessor> predecessors_;
  Reversal reversal_;
  Operation operation_;
  std::optional<Transition> chosen_;  // is to do operation_ next
  std::vector<WakeupTrees::Step> path_;
  bool is_first_execution_ = true;
};

}  // namespace heddle
