// Numbers as bytes of a key, for telling states apart: each number takes as few bytes as
// it needs and says itself where it ends, so two different lists of numbers of the same
// shape never give the same bytes.
#pragma once

#include <cstdint>
#include <string>

#include "base/index.h"

namespace heddle {

inline void append_number(std::string& key, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) key.push_back(static_cast<char>(number | 0x80));
  key.push_back(static_cast<char>(number));
}

template <typename Tag>
void append_index(std::string& key, Index<Tag> index) {
  append_number(key, std::uint32_t{index.value() + 2});  // kInitialWrite and none become 0 and 1
}

}  // namespace heddle
