// Parts that all questions have in common.
#pragma once

#include <cstdint>
#include <vector>

#include "order/search.h"

namespace heddle::predict {

using order::Answer;
using order::Facts;

struct Budget {
  // Steps that the search for one answer may take beyond a straight run through the trace.
  std::uint64_t steps = 20'000;
};

// The sequence that shows a yes. Where the question is about one event whose outcome is free
// (docs/semantics.md, section 5), that is `question`; check_reordering takes the same field.
struct Shown {
  Answer answer = Answer::no;
  std::vector<EventId> sequence = {};
  EventId question = EventId::none();
};

}  // namespace heddle::predict
