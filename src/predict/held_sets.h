// The locks that are held at events, as sets by number: there are few of them.
#pragma once

#include <map>
#include <vector>

#include "predict/question.h"

namespace heddle::predict {

using HeldId = Index<struct HeldSetTag>;

class HeldSets {
 public:
  explicit HeldSets(const Facts& facts);

  HeldId of(EventId e);
  // Those that are held all the time from one event of a thread to a later one.
  HeldId during(EventId first, EventId last);
  // Whether no two threads can hold both at once.
  bool exclude(HeldId a, HeldId b) const;

 private:
  struct HeldLock {
    LockId lock;
    bool reader;
    friend auto operator<=>(const HeldLock&, const HeldLock&) = default;
  };
  using HeldSet = std::vector<HeldLock>;  // sorted

  HeldId find(EventId e);
  HeldId number_of(HeldSet set);

  const Facts& facts_;
  Table<StretchId, HeldId> of_stretch_;
  std::map<HeldSet, HeldId> ids_;
  Table<HeldId, HeldSet> sets_;
};

}  // namespace heddle::predict
