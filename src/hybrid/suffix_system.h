// Stage IV: the system behind the prefix, with one thread paused in front of an access.
//
// It is the system that it is given, from the state in which that stands. The paused thread is
// left out: it counts as finished, and so do threads that a chop says cannot matter. The thread
// that is hoped to race comes first in the order of the threads; explorers take the first one
// where they have a choice, so it is pushed ahead (the paper's hint).
//
// A step of another thread that races with the paused access is what the search looks for: the
// state before it has both in front of their accesses. Where a step is about to happen at the
// wanted site, the search is over (Reached); at other sites it is noted, and goes on.
//
// Values can be bounded, as the paper's model checker needs it. A thread that stores a larger one
// gets no further: what lies behind is not searched, which is counted.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "explore/execution.h"
#include "explore/system_view.h"
#include "hybrid/chop.h"

namespace heddle::hybrid {

// Thrown by step(), through the explorer: nothing more is wanted of it.
struct Reached {};

// A state in which another thread is about to race with the paused one.
struct RaceState {
  ThreadId other;
  std::vector<Transition> suffix;  // steps from the start of the suffix
};

struct SuffixSettings {
  ThreadId paused;             // none: all go on
  ThreadId first;              // the thread that is pushed ahead; none: nobody
  std::string wanted_site;     // of the other access
  const Chop* chop = nullptr;  // for models
  std::function<model::StateId(ThreadId)> control = {};  // with a chop
  std::function<bool()> overflows = {};  // whether the last step stored too large a value
};

class SuffixSystem final : public SystemView {
 public:
  // The settings must outlive the system.
  SuffixSystem(System& system, const SuffixSettings& settings);

  // Races with the paused access, by the site of the other one.
  const std::map<std::string, RaceState>& races() const { return races_; }
  std::uint64_t overflows() const { return overflows_; }

  void next_operation(ThreadId thread, Operation& operation) const override;
  Failure step(ThreadId thread, std::uint32_t choice) override;
  void rewind(std::size_t depth) override;

 private:
  struct Step {
    Transition transition;
    bool failed;
    bool overflowed;
  };

  bool leaves_out(ThreadId thread) const override;
  // Throws Reached, or notes it, if the thread's next operation races.
  void look_at(ThreadId thread);

  const SuffixSettings& settings_;
  Operation paused_;
  Operation operation_;
  std::vector<Step> steps_;
  Table<ThreadId, bool> stopped_;  // by an overflow
  std::map<std::string, RaceState> races_;
  std::uint64_t overflows_ = 0;
};

}  // namespace heddle::hybrid
