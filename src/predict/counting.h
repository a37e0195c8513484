// What counts as found, and what is information only.
//
// Races and deadlocks count. A correct program may well have reads that can see another write,
// and scopes that can be broken; these count where the user asks for the property.
#pragma once

#include <span>
#include <string>

#include "predict/prediction.h"

namespace heddle::predict {

// `deterministic` names variables and functions whose reads must not depend on the order of
// threads; "*" means all.
bool counts_as_found(const Facts& facts, const PredictedFinding& finding,
                     std::span<const std::string> deterministic);

}  // namespace heddle::predict
