// Sections that nobody interrupts, of programs of the verification community: between
// __VERIFIER_atomic_begin and _end, and in functions whose names begin with __VERIFIER_atomic_.
//
// Which functions these are, the symbols of the program's file say; calls are seen by the hooks of
// function entry and exit, so that one that was inlined is not noticed
// (heddle-cc keeps functions of sources that name such ones).
#pragma once

#include <cstdint>

#include "runtime/thread.h"

namespace heddle::runtime {

// Sets has_atomic_functions (hot_words.h), once, while the program is prepared for exploration.
void find_atomic_functions();
// The function around this address is one.
bool is_atomic_function(std::uint64_t address);

// They may be nested.
void enter_atomic_section(Thread& self, std::uint64_t pc);
void leave_atomic_section(Thread& self, std::uint64_t pc);

}  // namespace heddle::runtime
