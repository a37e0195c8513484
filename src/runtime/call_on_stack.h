// Calls on another stack.
#pragma once

#include <cstdint>

namespace heddle::runtime {

// Calls function(argument) with frames from `top` downwards, a multiple of 16, and returns when
// it does. Debuggers and exceptions find their way through.
extern "C" void heddle_call_on_stack(std::uint64_t top, void (*function)(void*), void* argument);

}  // namespace heddle::runtime
