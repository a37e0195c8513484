// Lockset: the locks that all accesses to a location had in common (Savage, Burrows, Nelson,
// Sobalvarro, Anderson: Eraser, TOCS 1997).
//
// A location is virgin, then exclusive to its first thread, then shared, then shared and modified.
// From the second thread on, the locks held at its accesses are intersected; a location that is
// modified with no lock left breaks the discipline. A lock held as a reader protects reads only.
//
// What fork and join order needs no lock: an access that comes after all those of other threads,
// by forks and joins alone, makes the location exclusive again, to its own thread. So neither
// initialisation by a parent nor a look at the results after the last join is a warning.
//
// One pass; per access a walk over few locks and, for fork and join, over the location's threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace/event.h"

namespace heddle {

struct HeldLock {
  std::uint32_t lock = 0;  // as the caller numbers them
  bool reader = false;

  friend auto operator<=>(const HeldLock&, const HeldLock&) = default;
};

struct LocksetAccess {
  ThreadId thread;
  bool writes = false;
  std::span<const HeldLock> held;
  // By thread, how many of its events come before this one by forks and joins; empty: nothing is
  // known of forks and joins.
  std::span<const std::uint32_t> clock = {};
  std::uint32_t time = 0;  // its place in its own thread, from 1
};

class Lockset {
 public:
  // Whether the location, which the caller has given this number, is modified by several
  // threads and no lock was held at all of the accesses.
  bool access(std::uint32_t number, const LocksetAccess& access);

 private:
  enum class State : std::uint8_t { virgin, exclusive, shared, shared_modified };
  struct LastAccess {
    ThreadId thread;
    std::uint32_t time;
  };
  struct Location {
    State state = State::virgin;
    ThreadId owner;
    std::vector<std::uint32_t> locks;  // held at all accesses since it is shared
    std::vector<LastAccess> last;      // of each thread
  };

  static bool comes_after_others(const Location& location, const LocksetAccess& access);
  static void remember(Location& location, const LocksetAccess& access);
  static void refine(Location& location, const LocksetAccess& access);

  std::vector<Location> locations_;
};

}  // namespace heddle
