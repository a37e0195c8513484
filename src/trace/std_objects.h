// From the names and locations of STD text to the objects and sites of a trace's tables.
//
// Objects come into being at their first use. A name is looked up in the string table
// (one hash) and its object in a vector indexed by the string; a site that is a small
// number, as RAPID has them, takes one look into a vector.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "base/result.h"
#include "trace/tables.h"

namespace heddle {

class StdObjects {
 public:
  explicit StdObjects(Tables& tables) : tables_(tables) {}

  struct Object {
    std::uint32_t id = 0;
    bool added = false;  // this was its first use
  };
  // The object of that name (as written, with its escapes), added if it is new.
  Result<Object> object(ObjectType type, std::string_view name);

  // The site of a line's third field: a line number, an address (0x...), path:line, or
  // any other text; none for "0" and "".
  SiteId site(std::string_view text);

  // Takes in the attributes of an object that is not plain, as a line `#! ...` of the
  // text gives them (without these three characters): `lock L recursive`,
  // `semaphore s 2`, `barrier b 3`, `region h size=64 site=a.c:3`,
  // `location x region=h offset=8 size=4`.
  Result<void> define(std::string_view definition);

 private:
  using SiteKey = std::tuple<StringId, std::uint32_t, std::uint64_t>;  // file, line, address

  StringId intern(std::string_view escaped);
  Result<std::uint32_t> add_object(ObjectType type, StringId name);
  SiteId site_of_line(std::uint32_t line);
  SiteId site_of(SiteKey key);

  Tables& tables_;
  // For each type, the object of each string; none where there is none yet.
  std::array<std::vector<std::uint32_t>, kObjectTypeCount> objects_;
  std::vector<SiteId> small_sites_;  // by line, for sites that are just a small number
  absl::flat_hash_map<SiteKey, SiteId> sites_;
};

}  // namespace heddle
