#include "predict/places.h"

#include <string>

#include <absl/container/flat_hash_map.h>

namespace heddle::predict {

Places::Places(const Facts& facts) : facts_(facts) {
  const Tables& tables = facts.trace().tables;
  absl::flat_hash_map<std::string, PlaceId> known;
  for (SiteId site : indices(tables.sites)) {
    const auto [place, is_new] = known.try_emplace(tables.describe(site), PlaceId(count_));
    count_ += is_new ? 1 : 0;
    of_site_.add(place->second);
  }
}

// An event without a site is told by its kind and object.
PlaceId Places::of(EventId e) const {
  const Trace& trace = facts_.trace();
  if (trace.site(e).valid()) return of_site_[trace.site(e)];
  return PlaceId(count_ + trace.object(e) * static_cast<std::uint32_t>(kEventKindCount) +
                 static_cast<std::uint32_t>(trace.kind(e)));
}

}  // namespace heddle::predict
