// A run that ended badly is a finding itself: a deadlock, a failed assertion, a crash, or
// another exit status than 0.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "finding/finding.h"
#include "order/facts.h"
#include "record/run.h"

namespace heddle {

// `errors` is what the program wrote to standard error. None: the run ended well.
std::optional<Finding> finding_of_run(const order::Facts& facts, const RunResult& result,
                                      std::string_view errors);

// A run that a search found to go wrong in this way.
Finding finding_of_search(const order::Facts& facts, FindingKind kind, const std::string& message);

}  // namespace heddle
