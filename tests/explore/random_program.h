// Random programs for the tiny machine: two to four threads, with everything that it has.
#pragma once

#include "tests/explore/tiny_system.h"

namespace heddle {

// To be called within a RapidCheck property.
TinyProgram random_program();

}  // namespace heddle
