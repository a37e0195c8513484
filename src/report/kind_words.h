// What a kind of finding is, and what usually cures it, in words for people.
#pragma once

#include <string>
#include <string_view>

#include "finding/finding.h"

namespace heddle {

struct KindWords {
  std::string_view title;    // "data race"
  std::string_view meaning;  // one sentence
  std::string_view cure;     // one or two sentences
};

const KindWords& words_of(FindingKind kind);

// "data race: write of x at ...": what is wrong, in one line.
std::string title_of(const Finding& finding);
// What usually cures this one.
std::string_view cure_of(const Finding& finding);

}  // namespace heddle
