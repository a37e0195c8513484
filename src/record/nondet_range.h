// The values among which a search chooses where a program asks for any value (__VERIFIER_nondet_*).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace heddle {

struct NondetRange {
  std::int64_t low = 0;
  std::int64_t high = 1;

  friend bool operator==(const NondetRange&, const NondetRange&) = default;
};

// "LOW..HIGH", as the command line and findings have it.
Result<NondetRange> nondet_range_in(std::string_view text);
std::string text_of(const NondetRange& range);

}  // namespace heddle
