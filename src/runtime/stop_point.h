// Where a replay stops: before a chosen event, in the thread whose event it is.
//
// Under a debugger that is a breakpoint, and the program goes on from there like from any
// other; without one the run ends.
#pragma once

#include <cstdint>

#include "runtime/event_log.h"

namespace heddle::runtime {

extern std::uint64_t stop_at;  // wire::kNoStop once it was reached

void prepare_to_stop(const wire::Settings& settings);
void stop_here(std::uint64_t pc);
// Something is found at `pc`: a debugger, if there is one, stops in the thread that did it.
void break_if_debugged(std::uint64_t pc);

// Called when a thread is about to do an operation that comes from `pc`.
inline void stop_if_reached(std::uint64_t pc) {
  if (event_log.position() >= stop_at) [[unlikely]]
    stop_here(pc);
}

}  // namespace heddle::runtime
