// The sites of the accesses of a row (runtime/wire.h): what Followers and Sites say, one after the
// other. A loop makes the same rows again and again, so those of some rows are remembered.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "record/sites.h"
#include "runtime/wire.h"

namespace heddle {

class RowSites {
 public:
  explicit RowSites(Sites& sites) : sites_(&sites) {}

  // In rows, the access at `next` follows the one at `pc` from now on.
  void set_follower(std::uint64_t pc, std::uint64_t next) {
    followers_.set(pc, next);
    ++changes_;
  }
  // The places of a row from `pc` on, so many at least; good until the next call.
  struct Place {
    std::uint64_t pc = 0;
    SiteId site;
  };
  const std::vector<Place>& places(std::uint32_t stack, std::uint64_t pc, std::size_t length) {
    Known& known = known_[(pc ^ pc >> 8 ^ stack * std::uint64_t{0x9e37}) % kKnown];
    if (known.pc != pc || known.stack != stack || known.changes != changes_) {
      known = {pc, stack, changes_, std::move(known.places)};
      known.places.clear();
    }
    if (known.places.size() < length) extend(known, length);
    return known.places;
  }

 private:
  struct Known {
    std::uint64_t pc = 0;
    std::uint32_t stack = 0;
    std::uint64_t changes = ~std::uint64_t{0};
    std::vector<Place> places;
  };
  void extend(Known& known, std::size_t length) const {
    std::uint64_t pc = known.places.empty() ? known.pc : followers_.after(known.places.back().pc);
    while (known.places.size() < length) {
      known.places.push_back({pc, sites_->site(known.stack, pc)});
      pc = followers_.after(pc);
    }
  }

  static constexpr std::size_t kKnown = 256;
  Sites* sites_;
  wire::Followers followers_{};
  std::uint64_t changes_ = 0;
  std::array<Known, kKnown> known_;
};

}  // namespace heddle
