// Traces of the shape of those in the NDET paper's Table A1, which are not to be had any more.
//
// A profile gives the numbers of the table's first two columns: threads, events, lock events and
// locks, accesses and variables, wait and notify events, possible witnesses. The generator lays
// out a program for each thread (sections of locks with accesses of the variables that they guard,
// waits, accesses without a lock, and steps of its own) and runs the threads at random. A few
// variables get more accesses than the others, just as many more as it takes for the number of
// possible witnesses. The same profile gives the same trace every time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "trace/trace.h"

namespace heddle::ndet {

struct Profile {
  std::string name;
  std::uint32_t threads = 0;
  std::uint32_t events = 0;
  std::uint32_t lock_events = 0;
  std::uint32_t locks = 0;
  std::uint32_t accesses = 0;
  std::uint32_t variables = 0;
  std::uint32_t wait_notify = 0;
  // What the paper reports.
  std::uint64_t possible = 0;
  std::uint64_t cyclic = 0;
  std::uint64_t no_choice = 0;
  std::uint64_t with_choice = 0;
  double possible_graphs = 0;
  double explored_graphs = 0;
  double seconds = 0;
  std::uint64_t feasible = 0;
  std::uint64_t infeasible = 0;
};

Result<std::vector<Profile>> read_profiles(const std::string& path);

Trace make_trace(const Profile& profile);

}  // namespace heddle::ndet
