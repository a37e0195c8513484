// A Table that can give up its oldest items.
//
// Whoever writes a long stream keeps numbering what comes, but needs to look only at the latest:
// the others keep their indices and count in size(), and take no memory. A table that has
// forgotten nothing is like any other.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/index.h"

namespace heddle {

template <typename I, typename T>
class ForgettingTable {
 public:
  using value_type = T;
  using index_type = I;

  // Of all items, forgotten ones included.
  std::size_t size() const { return forgotten_ + items_.size(); }
  bool empty() const { return size() == 0; }
  bool contains(I index) const { return index.value() < size(); }
  bool keeps(I index) const { return contains(index) && index.value() >= forgotten_; }

  T& operator[](I index) { return items_[index.value() - forgotten_]; }
  const T& operator[](I index) const { return items_[index.value() - forgotten_]; }

  I add(T item) {
    items_.push_back(std::move(item));
    return I(static_cast<std::uint32_t>(size() - 1));
  }
  I end_index() const { return I(static_cast<std::uint32_t>(size())); }

  // Items before `first` are no longer needed. They go once they are as many as the others, so
  // that moving these costs as much as adding them did.
  void forget_before(I first) {
    CHECK(first.value() <= size());
    if (first.value() <= forgotten_) return;
    const std::size_t unneeded = first.value() - forgotten_;
    if (unneeded < items_.size() - unneeded) return;
    items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(unneeded));
    forgotten_ += unneeded;
  }

  void reserve(std::size_t size) { items_.reserve(size); }
  void shrink() { items_.shrink_to_fit(); }
  std::size_t memory_bytes() const { return items_.capacity() * sizeof(T); }

  // Those that are kept.
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

  friend bool operator==(const ForgettingTable&, const ForgettingTable&) = default;

 private:
  std::vector<T> items_;
  std::size_t forgotten_ = 0;
};

template <typename I, typename T>
constexpr IndexRange<I> indices(const ForgettingTable<I, T>& table) {
  return indices<I>(table.size());
}

}  // namespace heddle
