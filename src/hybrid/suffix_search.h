// Stage V: the search for a suffix in which another thread comes to race with the paused one.
//
// First what few preemptions can show: none, one, two, each level with a share of the budget, and
// with the thread of the warning pushed ahead. Then every Mazurkiewicz trace (ODPOR). A step that
// happens in some execution happens in one of every trace, so a search that comes to its end
// without one has shown that there is none from this state. Without the hint only that last search
// is made.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "explore/findings.h"
#include "hybrid/suffix_system.h"

namespace heddle::hybrid {

// What a warning may cost; used up along the way.
struct Budget {
  std::uint64_t executions = 0;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();

  bool is_used_up() const {
    return executions == 0 || std::chrono::steady_clock::now() >= deadline;
  }
};

struct SuffixSearchOptions {
  bool deepen = true;  // on preemptions; without it, there is only the search of every trace
  std::size_t max_steps = 10'000;
};

struct SuffixSearch {
  bool reached = false;   // the wanted site
  bool complete = false;  // everything was searched
  std::uint64_t executions = 0;
  std::uint64_t overflows = 0;
  // All races of the paused access that were seen, by the site of the other one.
  std::map<std::string, RaceState> races = {};
};

// From the state where the system stands, to which it comes back.
SuffixSearch search_suffix(System& system, const SuffixSettings& settings,
                           const SuffixSearchOptions& options, Budget& budget);

// The same with the paused thread going on like the others (the paper's Table 4): races between
// two sites, in whichever state. Schedules begin where the system stands.
struct SearchWithPaused {
  bool complete = false;
  std::uint64_t executions = 0;
  std::optional<Witness> witness = {};
};
SearchWithPaused search_with_paused(System& system, const SuffixSettings& settings,
                                    const std::string& paused_site,
                                    const SuffixSearchOptions& options, Budget& budget);

}  // namespace heddle::hybrid
