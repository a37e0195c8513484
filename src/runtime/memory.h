// Memory of the runtime itself, and the few containers that it needs.
//
// Pages come straight from the kernel and are never given back; the program's allocator is
// not involved. Only the holder of the gate's token may allocate.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/ground_rules.h"

namespace heddle::runtime {

void copy_bytes(void* to, const void* from, std::size_t size);  // also where they overlap
void fill_bytes(void* to, int byte, std::size_t size);

// Zeroed pages anywhere, or exactly there; ends the program if there are none.
void* map_pages(std::size_t size);
// The same, of which an exploration does not forget the contents (snapshot.h).
void* map_kept_pages(std::size_t size);
void unmap_kept_pages(void* address, std::size_t size);
void* map_pages_at(std::uint64_t address, std::size_t size);
void unmap_pages(void* address, std::size_t size);

// Zeroed, never freed, aligned for everything.
void* keep_bytes(std::size_t size);
template <typename T>
T* keep() {
  return new (keep_bytes(sizeof(T))) T();
}

// From now on all but kept memory comes from one region, so that it can be put back to how it
// was at some moment; what was taken later is then free again.
void use_resettable_memory();
// The region up to where it is in use.
struct MemoryRange {
  std::uint64_t low;
  std::uint64_t high;
};
MemoryRange resettable_memory();

// A growing array; what it grows out of is lost (as much again as it holds).
template <typename T>
class Array {
 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  T* begin() { return items_; }
  T* end() { return items_ + size_; }
  T& back() { return items_[size_ - 1]; }
  const T* data() const { return items_; }

  void push(T item) {
    if (size_ == capacity_) grow();
    items_[size_++] = item;
  }
  void pop() { --size_; }
  void clear() { size_ = 0; }
  // Keeps the order of the others.
  void remove_at(std::size_t i) {
    for (; i + 1 < size_; ++i) items_[i] = items_[i + 1];
    --size_;
  }

 private:
  void grow() {
    const std::size_t capacity = capacity_ == 0 ? 16 : capacity_ * 2;
    // T may well be a pointer itself: NOLINTNEXTLINE(bugprone-sizeof-expression)
    T* items = static_cast<T*>(keep_bytes(capacity * sizeof(T)));
    for (std::size_t i = 0; i < size_; ++i) items[i] = items_[i];
    items_ = items;
    capacity_ = capacity;
  }
  T* items_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

inline std::uint64_t mix(std::uint64_t key) {
  key *= 0x9e3779b97f4a7c15;
  return key ^ key >> 32;
}

// A hash table from 64-bit keys, none of them 0, to values; open addressing, at most half
// full. Removal leaves a tombstone that the next growth sweeps away.
template <typename V>
class Map {
 public:
  V* find(std::uint64_t key) {
    if (capacity_ == 0) return nullptr;
    for (std::size_t i = mix(key) & (capacity_ - 1);; i = (i + 1) & (capacity_ - 1)) {
      if (slots_[i].key == key) return &slots_[i].value;
      if (slots_[i].key == 0) return nullptr;
    }
  }
  V& insert(std::uint64_t key, V value) {
    if (V* found = find(key)) return *found = value;
    if ((used_ + 1) * 2 > capacity_) grow();
    return place(key, value);
  }
  void remove(std::uint64_t key) {
    if (capacity_ == 0) return;
    for (std::size_t i = mix(key) & (capacity_ - 1); slots_[i].key != 0;
         i = (i + 1) & (capacity_ - 1)) {
      if (slots_[i].key == key) {
        slots_[i].key = kTombstone;
        --live_;
        return;
      }
    }
  }
  std::size_t size() const { return live_; }

 private:
  static constexpr std::uint64_t kTombstone = ~std::uint64_t{0};
  struct Slot {
    std::uint64_t key;
    V value;
  };
  V& place(std::uint64_t key, V value) {
    std::size_t i = mix(key) & (capacity_ - 1);
    while (slots_[i].key != 0) i = (i + 1) & (capacity_ - 1);
    slots_[i] = {key, value};
    ++used_;
    ++live_;
    return slots_[i].value;
  }
  void grow() {
    Slot* old = slots_;
    const std::size_t old_capacity = capacity_;
    capacity_ = live_ * 4 < 64 ? 64 : live_ * 4;
    while ((capacity_ & (capacity_ - 1)) != 0) capacity_ += capacity_ & -capacity_;
    slots_ = static_cast<Slot*>(map_pages(capacity_ * sizeof(Slot)));
    used_ = live_ = 0;
    for (std::size_t i = 0; i < old_capacity; ++i) {
      if (old[i].key != 0 && old[i].key != kTombstone) place(old[i].key, old[i].value);
    }
    if (old != nullptr) unmap_pages(old, old_capacity * sizeof(Slot));
  }
  Slot* slots_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t used_ = 0;
  std::size_t live_ = 0;
};

}  // namespace heddle::runtime
