// For every rule that text can break: a small trace that breaks it, the event at fault, the
// explanation, and the repaired trace.
#pragma once

#include <span>
#include <string_view>

#include "trace/rules.h"

namespace heddle {

struct OffenceExample {
  Rule rule;
  std::string_view explanation;
  std::string_view before;    // fine
  std::string_view offender;  // the event that breaks the rule
  std::string_view after;
  std::string_view repaired;  // all of it
};

std::span<const OffenceExample> offence_examples();

}  // namespace heddle
