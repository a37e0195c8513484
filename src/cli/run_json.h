// A run in the JSON output of `heddle replay`.
#pragma once

#include <nlohmann/json.hpp>

#include "finding/run.h"

namespace heddle {

nlohmann::ordered_json steps_json(const Run& run);
nlohmann::ordered_json json_of(const Divergence& divergence);

}  // namespace heddle
