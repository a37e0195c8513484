// What a kind of finding is, and what usually cures it, in words for people.
#pragma once

#include <string_view>

#include "finding/finding.h"

namespace heddle {

struct KindWords {
  std::string_view title;    // "data race"
  std::string_view meaning;  // one sentence
  std::string_view cure;     // one or two sentences
};

const KindWords& words_of(FindingKind kind);

}  // namespace heddle
