// What is wrong in the state where a system stands, in words without paths or numbers, so
// that the same thing is called the same by the search and by a replay.
#pragma once

#include <optional>
#include <span>

#include "finding/run.h"
#include "system/system.h"

namespace heddle {

FindingKind kind_of(Failure failure);

// Nothing can go on, and some thread waits (a deadlock) or spins for ever (a livelock).
std::optional<RunEnd> deadlock_in(const System& system);

// Both threads are in front of plain accesses to the same object, not both of them reads.
std::optional<RunEnd> race_in(const System& system, ThreadId a, ThreadId b);

// The accesses in question, if two operations of different threads race.
struct RacingAccesses {
  Access first;
  Access second;
};
std::optional<RacingAccesses> racing_accesses(std::span<const Access> a, std::span<const Access> b);

}  // namespace heddle
