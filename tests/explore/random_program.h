// Random programs for the tiny machine.
#pragma once

#include "tests/explore/tiny_system.h"

namespace heddle {

// To be called within a RapidCheck property.

// Two to four threads, with everything that the machine has.
TinyProgram random_program();
// Five to nine short threads that mostly read and write: what searches get wrong only when
// many threads meet.
TinyProgram random_wide_program();

}  // namespace heddle
