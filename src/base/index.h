// Strong index types, and the flat tables that they index.
//
// An Index is a 32-bit number that only indexes things of its own kind: an EventId
// does not convert to a ThreadId. Index<Tag>::none() stands for "no such thing".
// Table<I, T> is a vector that takes an I as its subscript and nothing else.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

namespace heddle {

template <typename Tag>
class Index {
 public:
  constexpr Index() = default;
  constexpr explicit Index(std::uint32_t value) : value_(value) {}
  static constexpr Index none() { return Index(); }

  constexpr std::uint32_t value() const { return value_; }
  constexpr bool valid() const { return value_ != kNone; }
  constexpr Index next() const { return Index(value_ + 1); }

  friend constexpr auto operator<=>(Index, Index) = default;
  constexpr Index& operator++() {
    ++value_;
    return *this;
  }

  template <typename H>
  friend H AbslHashValue(H state, Index index) {
    return H::combine(std::move(state), index.value_);
  }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t value_ = kNone;
};

template <typename I, typename T>
class Table {
 public:
  using value_type = T;
  using index_type = I;

  Table() = default;
  explicit Table(std::size_t size, const T& value = T()) : items_(size, value) {}

  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  bool contains(I index) const { return index.value() < items_.size(); }

  decltype(auto) operator[](I index) { return items_[index.value()]; }
  decltype(auto) operator[](I index) const { return items_[index.value()]; }

  I add(T item) {
    items_.push_back(std::move(item));
    return I(static_cast<std::uint32_t>(items_.size() - 1));
  }

  // The index that the next add() returns.
  I end_index() const { return I(static_cast<std::uint32_t>(items_.size())); }

  void resize(std::size_t size, const T& value = T()) { items_.resize(size, value); }
  void reserve(std::size_t size) { items_.reserve(size); }
  void clear() { items_.clear(); }
  void shrink() { items_.shrink_to_fit(); }
  std::size_t memory_bytes() const { return items_.capacity() * sizeof(T); }

  T* data() { return items_.data(); }
  const T* data() const { return items_.data(); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

  friend bool operator==(const Table&, const Table&) = default;

 private:
  std::vector<T> items_;
};

// All indices of a range, for range-based for: `for (EventId e : indices<EventId>(n))`.
template <typename I>
class IndexRange {
 public:
  constexpr IndexRange(I first, I last) : first_(first), last_(last) {}
  struct Iterator {
    using iterator_category = std::input_iterator_tag;
    using value_type = I;
    using difference_type = std::ptrdiff_t;
    using pointer = const I*;
    using reference = I;

    I index;
    constexpr I operator*() const { return index; }
    constexpr Iterator& operator++() {
      ++index;
      return *this;
    }
    constexpr Iterator operator++(int) {
      const Iterator before = *this;
      ++index;
      return before;
    }
    friend constexpr bool operator==(Iterator, Iterator) = default;
  };
  constexpr Iterator begin() const { return {first_}; }
  constexpr Iterator end() const { return {last_}; }

 private:
  I first_;
  I last_;
};

template <typename I>
constexpr IndexRange<I> indices(std::size_t size) {
  return {I(0), I(static_cast<std::uint32_t>(size))};
}

template <typename I, typename T>
constexpr IndexRange<I> indices(const Table<I, T>& table) {
  return indices<I>(table.size());
}

}  // namespace heddle

template <typename Tag>
struct std::hash<heddle::Index<Tag>> {
  std::size_t operator()(heddle::Index<Tag> index) const noexcept {
    return std::hash<std::uint32_t>()(index.value());
  }
};
