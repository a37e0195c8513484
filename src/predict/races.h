// Can two conflicting accesses race?
//
// Adjacent: some reordering leads to a state in which both come next. Unordered: some reordering
// has both, and happens-before does not order them. docs/semantics.md, section 6.
#pragma once

#include "predict/question.h"
#include "trace/enumerate.h"

namespace heddle::predict {

// Whether the two accesses (or the allocation or free and the access) conflict.
bool conflict(const Facts& facts, EventId e, EventId f);
// Whether both stand in sections of one lock that exclude each other; then they never race.
bool share_lock(const Facts& facts, EventId e, EventId f);

struct RaceAnswer {
  Shown adjacent;   // the sequence ends where both come next
  Shown unordered;  // it ends in the later one, which is in question
};

class Races {
 public:
  Races(const Facts& facts, Budget budget) : asker_(facts, budget), budget_(budget) {}

  RaceAnswer ask(EventPair pair);
  // Each by itself; `adjacent` is what the first gave.
  Shown ask_adjacent(EventPair pair);
  Shown ask_unordered(EventPair pair, const Shown& adjacent);

  // Without, a yes comes with no sequence.
  void keep_sequences(bool keep) {
    keeps_sequences_ = keep;
    asker_.keep_sequences(keep);
  }

  const Asker::Counters& counters() const { return asker_.counters(); }

 private:
  const Facts& facts() const { return asker_.facts(); }
  Shown in_observed_order(EventPair pair) const;
  Shown one_after_the_other(const Shown& adjacent, EventId first, EventId second) const;
  Shown search_unordered(EventId first, EventId second);

  Asker asker_;
  Budget budget_;
  bool keeps_sequences_ = true;
};

}  // namespace heddle::predict
