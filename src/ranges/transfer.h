// A transition on intervals: from what holds before it to what holds behind it.
//
// Whatever state lies in the environment before, the state behind the transition lies in the
// environment after it; the environment becomes empty if the transition cannot succeed. A
// thread whose step fails stops there, so values out of bounds, indices outside their array
// and assertions that do not hold are not carried on, but said.
#pragma once

#include <cstdint>
#include <vector>

#include "ranges/environment.h"

namespace heddle::ranges {

// What an update wrote: the words it may have meant, and the value.
struct Write {
  std::uint32_t update = 0;  // which of the transition's updates
  std::uint32_t first_word = 0;
  std::uint32_t length = 1;  // more than one: only one of them is written
  Interval value{};
  bool certain = true;  // false, of a compare-and-swap: at another time nothing is written
};

struct Outcome {
  bool may_fail = false;  // something cannot be evaluated or leaves its bounds
  bool holds = true;      // of an assertion: its condition, surely
  std::vector<Write> writes;

  void clear() {
    may_fail = false;
    holds = true;
    writes.clear();
  }
};

void apply(const model::Model& model, const model::Transition& transition, Environment& environment,
           Outcome& outcome);

// The objects that a reference may mean: [first, first + length); length 0 if none.
struct Places {
  std::uint32_t first = 0;
  std::uint32_t length = 0;
  bool may_miss = false;  // the index may lie outside
};
Places places_of(const model::Model& model, const model::Reference& reference,
                 const Environment& environment);

}  // namespace heddle::ranges
