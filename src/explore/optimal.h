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
// so nobody sleeps where it ends. A sequence that is inserted at a node inside a section
// is handed down to the first order of the section, not yet explored, with which it
// begins; if it reaches the section's end it is covered, and where no order takes it, it
// becomes a branch of that node's wakeup tree, explored after the section's orders.
//
// Races are looked at in every maximal execution, also those between events that it shares
// with the one before: what is inserted contains all that is independent of the earlier
// event, up to the end, and another end may need another reversal. (Looking at a race only
// in the first execution that contains it visits 95 of the 96 traces of Last Zero(6).)
#pragma once

#include <memory>
#include <memory_resource>
#include <optional>
#include <vector>

#include "explore/explorer.h"
#include "explore/races.h"
#include "explore/section.h"
#include "explore/sequence.h"
#include "explore/wakeup_tree.h"

namespace heddle {

class OptimalExplorer final : public Explorer {
 public:
  // Without a length, a section is one operation.
  OptimalExplorer(System& system, ExplorationListener& listener,
                  std::optional<Section::Length> length, const ExploreOptions& options);

  bool run() override;

 private:
  using EventIndex = Execution::EventIndex;
  using SequencePointer = std::unique_ptr<Sequence>;

  // A state on the path, with what is left to do there. Frame d stands after d events.
  struct Frame {
    // While the orders of a section are being enumerated:
    std::uint32_t section = 0;  // place in open_sections_, plus one; 0 outside of one
    bool opened_here = false;   // the section begins at this frame
    EventSet done = 0;
    EventSet asleep = 0;
    std::uint32_t next_thread = 0;         // of the section, to be tried next
    std::vector<SequencePointer> waiting;  // inserted, not yet taken by an order
    // Otherwise, or afterwards:
    WakeupTrees::Branches branches;
    std::uint32_t first_sleeper = 0;  // in sleepers_; up to that of the next frame
    EventSet taken = 0;               // the section's event that the present child took
  };
  struct Sleeper {
    Transition transition;
    std::uint32_t first_access;  // in sleeper_accesses_
  };
  struct OpenSection {
    Section section;
    std::uint32_t number = 0;  // unique over the whole search
  };

  Section& section_of(const Frame& frame) { return open_[frame.section - 1]->section; }
  std::uint32_t number_of(const Frame& frame) { return open_[frame.section - 1]->number; }

  void enter();    // the state at which the last frame was just made
  bool advance();  // to the last frame's next child; false if there is none
  bool advance_in_section();
  void leave();  // the last frame is finished
  void finish_section_orders(Frame& frame);

  void open_section(Frame& frame);
  void close_section(Frame& frame);
  void choose_one_thread(Frame& frame);

  void descend(Transition transition, WakeupTrees::Branches branches);
  void descend_in_section(EventSet event);

  // Sleep sets.
  std::span<const Access> accesses_of(const Sleeper& sleeper) const;
  void fall_asleep(Transition transition, std::span<const Access> accesses);
  void inherit_sleepers(const Frame& parent, std::span<const Access> accesses, ThreadId thread);
  void wake_from(std::size_t first);
  bool is_asleep(const Frame& frame, Transition transition) const;
  bool covered_by_sleepers(const Frame& frame, const Sequence& sequence);

  // Races.
  void reverse_races();
  bool in_one_section() const;
  void reverse_races_of(Transition last, std::span<const Access> accesses, EventIndex previous,
                        std::span<const Execution::Predecessor> predecessors, EventIndex self,
                        std::uint32_t section);
  void reverse(const Race& race, Transition last, std::span<const Access> accesses,
               EventIndex self);
  void insert(Frame& frame, Sequence& sequence);
  void hand_down(Frame& from, Frame& to, Transition transition, std::span<const Access> accesses);

  SequencePointer take_spare();

  std::optional<Section::Length> length_;
  Walker walker_;
  WakeupTrees trees_;
  std::vector<Frame> frames_;
  std::vector<std::unique_ptr<OpenSection>> open_;  // the first open_count_ are in use
  std::size_t open_count_ = 0;
  std::uint32_t next_section_number_ = 1;
  std::vector<Sleeper> sleepers_;
  std::vector<Access> sleeper_accesses_;
  std::pmr::vector<Race> races_;
  std::pmr::vector<Execution::Predecessor> predecessors_;
  Sequence reversal_;
  Operation operation_;
  std::vector<SequencePointer> spare_;
  std::pmr::memory_resource* memory_;
};

}  // namespace heddle
