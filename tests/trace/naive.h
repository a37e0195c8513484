// Slow, obvious twins of what src/trace/ derives from a trace.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "trace/trace.h"

namespace heddle::naive {

// A byte of memory: (region, offset), or (location without a region, 0).
using Byte = std::pair<std::uint64_t, std::uint64_t>;
std::vector<Byte> bytes_of(const Trace& trace, LocationId location);

// Per byte of the read's location, the last write before it.
std::map<Byte, EventId> seen_writes(const Trace& trace, EventId read);

// Per event, all events that happen before it: edges listed one by one, then closed.
std::vector<std::vector<bool>> happens_before(const Trace& trace);

// The acquires whose scopes an event is in, outermost first; re-entrant ones left out.
std::vector<EventId> held(const Trace& trace, EventId e);

}  // namespace heddle::naive
