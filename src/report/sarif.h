// Findings as SARIF 2.1.0, which code review tools show beside the source.
//
// A finding is a result; the interleaving is a code flow with a thread flow per thread, whose
// locations carry the order of execution. The fingerprint is the finding's number, so that a
// finding is known again when its lines have moved.
#pragma once

#include <span>
#include <string_view>

#include <nlohmann/json.hpp>

#include "report/reported.h"

namespace heddle {

nlohmann::ordered_json sarif_of(std::span<const Reported> findings, std::string_view version);

}  // namespace heddle
