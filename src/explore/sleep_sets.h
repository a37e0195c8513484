// Sleep sets: the transitions at each state of the path that need not be taken there,
// because what begins with them was explored before. [Godefroid 1996]
//
// A stack of sets, one per state of the path. A transition falls asleep where all that
// begins with it has been explored, goes on sleeping in the states behind as long as only
// what is independent of it happens, and is woken by what is dependent.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "explore/execution.h"

namespace heddle {

class SleepSets {
 public:
  // Where the set of a state begins; it ends where that of the next state begins.
  struct Mark {
    std::uint32_t sleeper = 0;
    std::uint32_t access = 0;
  };

  explicit SleepSets(std::pmr::memory_resource* memory) : sleepers_(memory), accesses_(memory) {}

  Mark mark() const {
    return {static_cast<std::uint32_t>(sleepers_.size()),
            static_cast<std::uint32_t>(accesses_.size())};
  }
  bool empty(Mark first) const { return first.sleeper == sleepers_.size(); }
  void add(Transition transition, std::span<const Access> accesses);
  // Adds, as the set of a new state, those of [first, mark()) that the event does not wake.
  void inherit(Mark first, ThreadId thread, std::span<const Access> accesses,
               CheckCounters& counters);
  // Takes off all that was added since the mark.
  void release(Mark first);

  bool contains(Mark first, Mark end, Transition transition) const;
  Transition transition(std::uint32_t sleeper) const { return sleepers_[sleeper].transition; }
  std::span<const Access> accesses(std::uint32_t sleeper) const {
    return {accesses_.data() + sleepers_[sleeper].first_access, sleepers_[sleeper].access_count};
  }

 private:
  struct Sleeper {
    Transition transition;
    std::uint32_t first_access;
    std::uint32_t access_count;
  };

  std::pmr::vector<Sleeper> sleepers_;
  std::pmr::vector<Access> accesses_;
};

}  // namespace heddle
