// Places in the source, by number: sites that read the same to people have the same one.
#pragma once

#include <cstdint>

#include "predict/question.h"

namespace heddle::predict {

using PlaceId = Index<struct PlaceTag>;

class Places {
 public:
  explicit Places(const Facts& facts);
  PlaceId of(EventId e) const;

 private:
  const Facts& facts_;
  Table<SiteId, PlaceId> of_site_;
  std::uint32_t count_ = 0;
};

}  // namespace heddle::predict
