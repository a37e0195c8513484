#include "predict/held_sets.h"

#include <algorithm>

namespace heddle::predict {

HeldSets::HeldSets(const Facts& facts)
    : facts_(facts), of_stretch_(facts.derived().order.stretch_count(), HeldId::none()) {}

// What is held does not change within a stretch between two synchronisations.
HeldId HeldSets::of(EventId e) {
  HeldId& id = of_stretch_[facts_.derived().order.stretch(e)];
  if (!id.valid()) id = find(e);
  return id;
}

bool HeldSets::exclude(HeldId a, HeldId b) const {
  for (const HeldLock& x : sets_[a]) {
    for (const HeldLock& y : sets_[b]) {
      if (x.lock == y.lock && !(x.reader && y.reader)) return true;
    }
  }
  return false;
}

HeldId HeldSets::find(EventId e) {
  HeldSet set;
  const Scopes& scopes = facts_.derived().scopes;
  for (ScopeId scope : scopes.held(e)) {
    const EventId acquire = scopes.acquire(scope);
    set.push_back(
        {facts_.trace().lock(acquire), facts_.trace().kind(acquire) == EventKind::reader_acquire});
  }
  return number_of(std::move(set));
}

HeldId HeldSets::during(EventId first, EventId last) {
  const ThreadOrder& order = facts_.derived().order;
  if (order.stretch(first) == order.stretch(last)) return of(first);
  HeldSet set;
  const order::Node begin = facts_.node(first);
  facts_.for_each_held(begin.thread, begin.index, [&](order::SectionId id) {
    const order::Section& section = facts_.section(id);
    if (section.release >= facts_.node(last).index) set.push_back({section.lock, section.reader});
  });
  return number_of(std::move(set));
}

HeldId HeldSets::number_of(HeldSet set) {
  std::sort(set.begin(), set.end());
  const auto [known, is_new] = ids_.try_emplace(set, sets_.end_index());
  if (is_new) sets_.add(std::move(set));
  return known->second;
}

}  // namespace heddle::predict
