// A flat table that is as long as it has to be.
//
// Reading past its end gives the default value, writing grows it. So a state machine
// that follows a stream keeps one entry for every id that has been changed so far,
// without being told how many ids there will be.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace heddle {

template <typename I, typename T>
class GrowingTable {
 public:
  const T& operator[](I index) const {
    return index.value() < items_.size() ? items_[index.value()] : kDefault;
  }
  T& at(I index) {
    if (index.value() >= items_.size()) [[unlikely]]
      items_.resize(index.value() + std::size_t{1});
    return items_[index.value()];
  }

 private:
  static inline const T kDefault{};
  std::vector<T> items_;
};

}  // namespace heddle
