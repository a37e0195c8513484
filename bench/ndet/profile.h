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

// What the table does not say about a trace, all of it in per cent. bench/ndet/fit chooses it so
// that the shares of witnesses that are cyclic, without and with choice come near the published
// ones; how fast anything is plays no part.
struct Shape {
  std::uint32_t outside = 15;   // of the accesses, in no section of a lock
  std::uint32_t own = 0;        // of the sections without accesses, of a lock of the thread's own
  std::uint32_t home = 0;       // of the accesses, by the thread whose variable it is
  std::uint32_t switches = 15;  // of the steps, after which another thread goes on
};

struct Profile {
  std::string name;
  std::uint32_t threads = 0;
  std::uint32_t events = 0;
  std::uint32_t lock_events = 0;
  std::uint32_t locks = 0;
  std::uint32_t accesses = 0;
  std::uint32_t variables = 0;
  std::uint32_t wait_notify = 0;
  Shape shape;
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
// Takes the shapes of the profiles from a file.
Result<void> read_shapes(const std::string& path, std::vector<Profile>& profiles);

Trace make_trace(const Profile& profile);

}  // namespace heddle::ndet
