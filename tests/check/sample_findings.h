// One finding of every kind, as `heddle check` could report it about golden/bank.cpp.
#pragma once

#include <vector>

#include "report/reported.h"

namespace heddle {

std::vector<Reported> sample_findings();

}  // namespace heddle
