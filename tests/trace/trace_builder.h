// Small traces as lines of text, for tests.
//
//   trace_of({"T1 acq L", "T1 w x", "T1 rel L", "T2 r x"})
//
// An event is `thread kind object`, kinds by their STD names; then, where it applies, the
// lock of a wait, a memory order, `tried`, `serial`, `=5` (value read or written) and
// `old=4` (value that a read-modify-write saw). Objects are made when they are first
// named. What has more than a name is declared before:
//
//   "lock L recursive", "lock L readers-writer", "semaphore S 2", "barrier B 3",
//   "location x R 0 4" (4 bytes of region R from offset 0 on)
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace heddle {

Trace trace_of(const std::vector<std::string>& lines);

std::vector<EventId> events(std::initializer_list<std::uint32_t> numbers);

}  // namespace heddle
