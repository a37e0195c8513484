// Strings stored once each and named by a dense index.
//
// Text lives in chunks that never move, so the views handed out stay good for the
// table's whole life. Interning costs one hash look-up.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "base/index.h"

namespace heddle {

using StringId = Index<struct StringTag>;

class StringTable {
 public:
  StringTable() = default;
  StringTable(StringTable&&) = default;
  StringTable& operator=(StringTable&&) = default;

  StringId intern(std::string_view text);

  // The string, or nothing's name "" for StringId::none().
  std::string_view operator[](StringId id) const {
    return id.valid() ? strings_[id] : std::string_view();
  }
  bool contains(StringId id) const { return strings_.contains(id); }
  std::size_t size() const { return strings_.size(); }
  std::size_t memory_bytes() const;

  friend bool operator==(const StringTable& a, const StringTable& b) {
    return a.strings_ == b.strings_;
  }

 private:
  std::string_view store(std::string_view text);

  Table<StringId, std::string_view> strings_;
  absl::flat_hash_map<std::string_view, StringId> ids_;
  std::vector<std::unique_ptr<char[]>> chunks_;
  std::size_t chunk_used_ = 0;
  std::size_t chunk_size_ = 0;
  std::size_t stored_bytes_ = 0;
};

}  // namespace heddle
