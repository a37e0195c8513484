#include "base/string_table.h"

#include <algorithm>
#include <cstring>

namespace heddle {

StringId StringTable::intern(std::string_view text) {
  if (const auto found = ids_.find(text); found != ids_.end()) return found->second;
  const std::string_view stored = store(text);
  const StringId id = strings_.add(stored);
  ids_.emplace(stored, id);
  return id;
}

std::string_view StringTable::store(std::string_view text) {
  if (text.empty()) return {};
  if (chunk_used_ + text.size() > chunk_size_) {
    chunk_size_ = std::max<std::size_t>(text.size(), std::size_t{16} * 1024);
    chunk_used_ = 0;
    chunks_.push_back(std::make_unique<char[]>(chunk_size_));
    stored_bytes_ += chunk_size_;
  }
  char* place = chunks_.back().get() + chunk_used_;
  std::memcpy(place, text.data(), text.size());
  chunk_used_ += text.size();
  return {place, text.size()};
}

std::size_t StringTable::memory_bytes() const {
  return strings_.memory_bytes() + stored_bytes_ +
         ids_.capacity() * (sizeof(std::pair<std::string_view, StringId>) + 1);
}

}  // namespace heddle
