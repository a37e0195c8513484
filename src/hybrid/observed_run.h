// A run that was observed: its steps, what they accessed and where in the source they stand. What
// the stages up to the prefix know of a program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "explore/execution.h"
#include "system/system.h"

namespace heddle::hybrid {

struct RunEvent {
  Transition transition;
  std::vector<Access> accesses;
  std::uint32_t site = 0;  // in ObservedRun::sites

  ThreadId thread() const { return transition.thread; }
};

struct ObservedRun {
  std::size_t threads = 0;
  std::size_t objects = 0;
  std::vector<RunEvent> events;
  std::vector<std::string> sites;
  // Whether a plain access races with an atomic one, as in C++; in models both have to be plain.
  bool atomics_race = false;

  const std::string& site_of(std::size_t event) const { return sites[events[event].site]; }
};

struct RunOptions {
  std::uint64_t seed = 0;
  // How likely, in percent, another thread is taken after a step. With 0 each thread goes on as
  // long as it can, as most runs of a short test do.
  std::uint32_t switch_chance = 0;
  std::size_t max_steps = 10'000;
  std::vector<ThreadId> beginning = {};  // the threads of the first steps, where they can go on
};

// Runs the system from where it stands, and comes back there. The run ends before a step that
// fails.
ObservedRun observe(System& system, const RunOptions& options);

}  // namespace heddle::hybrid
