// The slow twin of the enumerator: every sequence of events, one by one, filtered by
// check_reordering, and every question put to the finished sequence in the words of
// docs/semantics.md. No states, no memory, nothing shared with the enumerator. For traces
// of up to seven events.
#pragma once

#include <array>
#include <set>

#include "trace/enumerate.h"

namespace heddle {

struct Answers {
  std::set<ReadOfWrite> nondeterminism;
  std::array<std::set<Triplet>, kTripletKindCount> triplets;
  std::set<EventPair> adjacent_races;
  std::set<EventPair> unordered_races;
  std::set<std::set<EventId>> deadlocks;
  std::set<BrokenScope> atomicity;
  friend bool operator==(const Answers&, const Answers&) = default;
};

Answers answers_of(const Oracle& oracle);
Answers twin_answers(const Trace& trace, bool values = false);

}  // namespace heddle
