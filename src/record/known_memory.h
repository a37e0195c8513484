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
  // None when no location of this size is known to start there.
  LocationId location(std::uint64_t address, std::uint32_t size) {
    const Page& page = page_at(address);
    const std::size_t slot = first_slot(address);
    const std::uint32_t key = key_of(address, size);
    if (page.keys[slot] == key) [[likely]]
      return page.locations[slot];
    if (page.keys[slot + 1] == key) return page.locations[slot + 1];
    const bool fits = !page.locations[slot + 1].valid() && size < kLargestInSlot;
    return fits ? LocationId::none() : other_location(page, address, size);
  }
  void set_location(std::uint64_t address, std::uint32_t size, LocationId location);
  // A new life of this memory.
  void forget(std::uint64_t low, std::uint64_t high);
  // What lies there has other names from now on, and holds what it held.
  void forget_locations(std::uint64_t low, std::uint64_t high);

  // An event read a value of 1, 2, 4 or 8 bytes there. False when the bytes are known to be others.
  bool read_value(std::uint64_t address, std::uint32_t size, std::uint64_t value) {
    Page& page = page_at(address);
    const std::uint64_t offset = address & kOffsetMask;
    const std::uint64_t wanted = bits_of(size) << offset % 64;
    const std::uint64_t known = page.known[offset / 64] & wanted;
    const bool aligned = address % size == 0;
    if (aligned && known == wanted) [[likely]] {
      return get_bytes(&page.bytes[offset], size) == (value & bits_of(8 * size));
    }
    if (!(aligned && known == 0) && !agrees(address, size, value)) return false;
    set_value(address, size, value);
    return true;
  }
  // An event wrote it.
  void set_value(std::uint64_t address, std::uint32_t size, std::uint64_t value) {
    if (address % size != 0) return set_odd_value(address, size, value);
    Page& page = page_at(address);
    const std::uint64_t offset = address & kOffsetMask;
    put_bytes(&page.bytes[offset], value, size);
    page.known[offset / 64] |= bits_of(size) << offset % 64;
  }
  // Something that is not known was written there.
  void forget_values(std::uint64_t address, std::uint64_t size);

 private:
  static constexpr std::uint64_t kPageBytes = 4096;
  static constexpr std::uint64_t kOffsetMask = kPageBytes - 1;
  static constexpr std::uint64_t kPagesPerChunk = 512;
  static constexpr std::size_t kSlots = 2 * kPageBytes / 4;
  static constexpr std::uint32_t kLargestInSlot = 1u << 29;

  // A slot without a location may have any key.
  struct Page {
    std::array<std::uint8_t, kPageBytes> bytes;
    std::array<std::uint64_t, kPageBytes / 64> known{};  // a bit for each byte
    std::array<LocationId, kSlots> locations;
    std::array<std::uint32_t, kSlots> keys{};               // size, and position in the four bytes
    absl::flat_hash_map<std::uint64_t, LocationId> others;  // by size and offset
    std::uint32_t used_slots = 0;

    void forget_locations(std::uint64_t first, std::uint64_t last);
    void forget_values(std::uint64_t first, std::uint64_t last);
  };
  using Chunk = std::array<std::unique_ptr<Page>, kPagesPerChunk>;
  struct Recent {
    std::uint64_t number = ~std::uint64_t{0};
    Page* page = nullptr;
  };

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

  Page& page_at(std::uint64_t address) {
    const std::uint64_t number = address / kPageBytes;
    Recent& recent = recent_[number % kRecent];
    if (recent.number != number) [[unlikely]]
      recent = {number, &find_page(number)};
    return *recent.page;
  }
  Page& find_page(std::uint64_t number);
  static LocationId other_location(const Page& page, std::uint64_t address, std::uint32_t size);
  bool agrees(std::uint64_t address, std::uint32_t size, std::uint64_t value);
  void set_odd_value(std::uint64_t address, std::uint32_t size, std::uint64_t value);
  // Calls action(page, its number, first offset, last offset).
  template <typename Action>
  void for_existing_pages(std::uint64_t low, std::uint64_t high, Action action);
  void give_back_if_empty(std::unique_ptr<Page>& page, std::uint64_t number);

  static constexpr std::size_t kRecent = 256;
  absl::flat_hash_map<std::uint64_t, std::unique_ptr<Chunk>> chunks_;
  std::array<Recent, kRecent> recent_;
};

}  // namespace heddle
