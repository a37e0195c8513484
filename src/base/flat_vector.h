// A vector for the very long arrays of a trace.
//
// std::vector grows by moving into new memory, so filling one touches two to three
// times the memory that it needs, and the operating system has to clear all of that
// first: more work than decoding the events. This one grows and shrinks with realloc,
// which moves large blocks by remapping their pages. So it is for types that may be
// moved as bytes. New elements are not initialised.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <type_traits>
#include <utility>

#include "base/check.h"

namespace heddle {

template <typename T>
class FlatVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  FlatVector() = default;
  ~FlatVector() { std::free(items_); }
  FlatVector(FlatVector&& other) noexcept { swap(other); }
  FlatVector& operator=(FlatVector&& other) noexcept {
    swap(other);
    return *this;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t capacity() const { return capacity_; }

  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  T* data() { return items_; }
  const T* data() const { return items_; }
  T* begin() { return items_; }
  T* end() { return items_ + size_; }
  const T* begin() const { return items_; }
  const T* end() const { return items_ + size_; }

  void push_back(const T& item) { *extend(1) = item; }
  // Makes room for `count` more elements and gives the first of them.
  T* extend(std::size_t count) {
    if (capacity_ - size_ < count) reserve(std::max(size_ + count, 2 * capacity_));
    return items_ + std::exchange(size_, size_ + count);
  }
  void resize(std::size_t size) {
    reserve(size);
    size_ = size;
  }
  void reserve(std::size_t capacity) {
    if (capacity > capacity_) set_capacity(capacity);
  }
  void shrink_to_fit() {
    if (size_ < capacity_) set_capacity(size_);
  }

  friend bool operator==(const FlatVector& a, const FlatVector& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  void swap(FlatVector& other) noexcept {
    std::swap(items_, other.items_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  void set_capacity(std::size_t capacity) {
    void* const moved = std::realloc(items_, std::max<std::size_t>(1, capacity) * sizeof(T));
    CHECK(moved != nullptr, "no memory for {} bytes", capacity * sizeof(T));
    items_ = static_cast<T*>(moved);
    capacity_ = capacity;
  }

  T* items_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace heddle
