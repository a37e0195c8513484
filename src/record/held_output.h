// What a confined run printed, let out once the run counts.
#pragma once

#include <string_view>

#include "record/launch.h"

namespace heddle {

// `printed`: pieces of wire::Printed. They go where the program's own output would have gone.
void let_out(std::string_view printed, const Launch& launch);

}  // namespace heddle
