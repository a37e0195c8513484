// Waypoints: states on the way of an execution to which the program can return, so that the
// steps that led there need not be taken again.
//
// The snapshot (snapshot.h) knows all memory that executions write to. A waypoint is a copy of
// it as it is at that moment, along with what has been allocated since the snapshot, and of every
// thread that stands its stack, its thread-locals and what the runtime keeps beside them. A page
// that nobody had written to when the waypoint was set is still as it is in the snapshot.
//
// What is not memory cannot be copied: once the program has opened files, mapped memory or
// talked to others, there are no more waypoints (forbid_waypoints).
#pragma once

#include <cstdint>

namespace heddle::runtime {

// Keeps the present state under that number, while all threads stand; false if that cannot be.
bool set_waypoint(std::uint32_t number);
// Goes back to it; runs where restore_snapshot() may.
void return_to_waypoint(std::uint32_t number);
// So many bytes does the last one hold; 0 when there will be no more.
std::uint64_t waypoint_bytes();
void forbid_waypoints();

}  // namespace heddle::runtime
