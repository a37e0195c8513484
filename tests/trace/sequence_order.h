// Plain facts about a sequence of events, read off it from left to right for each
// question anew: who wrote a byte last, who holds a lock, what happens before the end.
// For the slow twin of the enumerator (enumerate_twin.h).
#pragma once

#include <set>
#include <string_view>
#include <tuple>
#include <vector>

#include "trace/trace.h"

namespace heddle {

using Sequence = std::vector<EventId>;
// A byte of a region, or (true, location, 0) for a location without one.
using Byte = std::tuple<bool, std::uint32_t, std::uint64_t>;

std::set<Byte> bytes_of(const Trace& trace, EventId access);
bool writes_byte(const Trace& trace, EventId e, const Byte& byte);
// The last write of the byte before a position; kInitialWrite when there is none.
EventId write_before(const Trace& trace, const Sequence& sequence, std::size_t position,
                     const Byte& byte);

bool conflict(const Trace& trace, EventId e, EventId f);
// Whether a1, b, a2 have these kinds ("RWR"), and whether they do so in one of the four
// ways that break a scope.
bool is_pattern(const Trace& trace, EventId a1, EventId b, EventId a2, std::string_view pattern);
bool breaks_scope(const Trace& trace, EventId a1, EventId b, EventId a2);

// How often the thread holds the lock after the sequence; only as a writer, if asked so.
int times_held(const Trace& trace, const Sequence& sequence, ThreadId thread, LockId lock,
               bool only_as_writer);

// The events that happen before the last one of the sequence.
std::set<EventId> events_before_last(const Trace& trace, const Sequence& sequence);

}  // namespace heddle
