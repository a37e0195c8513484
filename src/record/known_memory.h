// What the host knows about the program's memory, byte by byte: which location of the trace
// starts where, and the values that events wrote or read there.
//
// Every access asks both questions, so both answers stand in one page, found by the address
// alone, and the usual answer is given without a call. A page remembers two locations per four
// bytes directly: memory is often written and read in pieces of two sizes. Others that start there
// are in a table beside. When memory is allocated or freed, or a stack begins a new life,
// everything known about it is forgotten, and pages without any location are given back; so the
// space that this takes follows the memory in use, and not the length of the run.
//
// Values are bytes, so that accesses of different sizes to the same place agree: a read
// whose bytes differ from the known ones saw what no event wrote.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

#include <absl/container/flat_hash_map.h>

#include "trace/event.h"

namespace heddle {

class KnownMemory {
 public:
  class Page;
  // The page around an address, for many questions about it; good until something is forgotten.
  Page& page_at(std::uint64_t address) {
    const std::uint64_t number = address / kPageBytes;
    Recent& recent = recent_[number % kRecent];
    if (recent.number != number) [[unlikely]]
      recent = {number, &find_page(number)};
    return *recent.page;
  }

  // None when no location of this size is known to start there.
  LocationId location(std::uint64_t address, std::uint32_t size);
  void set_location(std::uint64_t address, std::uint32_t size, LocationId location);
  // A new life of this memory.
  void forget(std::uint64_t low, std::uint64_t high);
  // What lies there has other names from now on, and holds what it held.
  void forget_locations(std::uint64_t low, std::uint64_t high);

  // An event read a value of 1, 2, 4 or 8 bytes there. False when the bytes are known to be others.
  bool read_value(std::uint64_t address, std::uint32_t size, std::uint64_t value);
  // An event wrote it.
  void set_value(std::uint64_t address, std::uint32_t size, std::uint64_t value);
  // Something that is not known was written there.
  void forget_values(std::uint64_t address, std::uint64_t size);

 private:
  static constexpr std::uint64_t kPageBytes = 4096;
  static constexpr std::uint64_t kOffsetMask = kPageBytes - 1;
  static constexpr std::uint64_t kPagesPerChunk = 512;
  static constexpr std::size_t kSlots = 2 * kPageBytes / 4;
  static constexpr std::uint32_t kLargestInSlot = 1u << 29;

  using Chunk = std::array<std::unique_ptr<Page>, kPagesPerChunk>;
  struct Recent {
    std::uint64_t number = ~std::uint64_t{0};
    Page* page = nullptr;
  };

  static bool crosses_page(std::uint64_t address, std::uint32_t size) {
    return (address & kOffsetMask) + size > kPageBytes;
  }
  static std::size_t first_slot(std::uint64_t address) { return (address & kOffsetMask) / 4 * 2; }
  static std::uint32_t key_of(std::uint64_t address, std::uint32_t size) {
    return std::min(size, kLargestInSlot) << 2 | static_cast<std::uint32_t>(address & 3);
  }
  static std::uint64_t bits_of(std::uint32_t count) {
    return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  }
  // Sizes are known to the compiler: a call per access would cost more than the rest.
  static void put_bytes(std::uint8_t* to, std::uint64_t value, std::uint32_t size) {
    switch (size) {
      case 1: std::memcpy(to, &value, 1); return;
      case 2: std::memcpy(to, &value, 2); return;
      case 4: std::memcpy(to, &value, 4); return;
      default: std::memcpy(to, &value, 8); return;
    }
  }
  static std::uint64_t get_bytes(const std::uint8_t* from, std::uint32_t size) {
    std::uint64_t value = 0;
    switch (size) {
      case 1: std::memcpy(&value, from, 1); break;
      case 2: std::memcpy(&value, from, 2); break;
      case 4: std::memcpy(&value, from, 4); break;
      default: std::memcpy(&value, from, 8); break;
    }
    return value;
  }

  Page& find_page(std::uint64_t number);
  void set_odd_value(std::uint64_t address, std::uint32_t size, std::uint64_t value);
  // Calls action(page, its number, first offset, last offset).
  template <typename Action>
  void for_existing_pages(std::uint64_t low, std::uint64_t high, Action action);
  void give_back_if_empty(std::unique_ptr<Page>& page, std::uint64_t number);

  static constexpr std::size_t kRecent = 256;
  absl::flat_hash_map<std::uint64_t, std::unique_ptr<Chunk>> chunks_;
  std::array<Recent, kRecent> recent_;
};

// What is asked here about values is about aligned ones, which lie within the page.
class KnownMemory::Page {
 public:
  // How many accesses of this size, one behind the other, lie within the page of the first.
  static std::uint64_t room(std::uint64_t address, std::uint32_t size) {
    return (kPageBytes - (address & kOffsetMask)) / size;
  }
  // Where the location of this size that starts there is remembered, or can be: then it is none.
  // Null when it has to be looked for elsewhere.
  LocationId* slot(std::uint64_t address, std::uint32_t size) {
    const std::size_t first = first_slot(address);
    const std::uint32_t key = key_of(address, size);
    if (keys_[first] == key || !locations_[first].valid()) [[likely]]
      return take(first, key, size);
    if (keys_[first + 1] == key || !locations_[first + 1].valid()) {
      return take(first + 1, key, size);
    }
    return nullptr;
  }
  // Of a slot that was none.
  void fill(LocationId& slot, LocationId location) {
    slot = location;
    ++used_slots_;
  }
  bool read_value(std::uint64_t address, std::uint32_t size, std::uint64_t value) {
    const std::uint64_t offset = address & kOffsetMask;
    const std::uint64_t wanted = bits_of(size) << offset % 64;
    const std::uint64_t known = known_[offset / 64] & wanted;
    if (known == wanted) return get_bytes(&bytes_[offset], size) == (value & bits_of(8 * size));
    if (known != 0 && !agrees(address, size, value)) return false;
    set_value(address, size, value);
    return true;
  }
  void set_value(std::uint64_t address, std::uint32_t size, std::uint64_t value) {
    const std::uint64_t offset = address & kOffsetMask;
    put_bytes(&bytes_[offset], value, size);
    known_[offset / 64] |= bits_of(size) << offset % 64;
  }
  // Of any size up to 64, within 64 aligned bytes.
  void forget_few_values(std::uint64_t address, std::uint32_t size) {
    const std::uint64_t offset = address & kOffsetMask;
    known_[offset / 64] &= ~(bits_of(size) << offset % 64);
  }

 private:
  friend KnownMemory;

  // A slot without a location may have any key. One that is too narrow for the size is no slot.
  LocationId* take(std::size_t slot, std::uint32_t key, std::uint32_t size) {
    if (size >= kLargestInSlot) return nullptr;
    keys_[slot] = key;
    return &locations_[slot];
  }
  bool agrees(std::uint64_t address, std::uint32_t size, std::uint64_t value) const;
  bool is_empty() const { return used_slots_ == 0 && others_.empty(); }
  void set_odd_value(std::uint64_t address, std::uint32_t size, std::uint64_t value);
  std::uint32_t empty_slots(std::size_t from, std::size_t to);
  void forget_locations(std::uint64_t first, std::uint64_t last);
  void forget_values(std::uint64_t first, std::uint64_t last);

  std::array<std::uint8_t, kPageBytes> bytes_;
  std::array<std::uint64_t, kPageBytes / 64> known_{};  // a bit for each byte
  std::array<LocationId, kSlots> locations_;
  std::array<std::uint32_t, kSlots> keys_{};               // size, and position in the four bytes
  absl::flat_hash_map<std::uint64_t, LocationId> others_;  // by size and offset
  std::uint32_t used_slots_ = 0;
};

inline bool KnownMemory::read_value(std::uint64_t address, std::uint32_t size,
                                    std::uint64_t value) {
  if (address % size == 0) return page_at(address).read_value(address, size, value);
  if (!crosses_page(address, size) && !page_at(address).agrees(address, size, value)) return false;
  set_odd_value(address, size, value);
  return true;
}

inline void KnownMemory::set_value(std::uint64_t address, std::uint32_t size, std::uint64_t value) {
  if (address % size != 0) return set_odd_value(address, size, value);
  page_at(address).set_value(address, size, value);
}

}  // namespace heddle
