// What the host knows about the program's memory, byte by byte: which location of the trace
// starts where, and the values that events wrote or read there.
//
// Every access asks both questions, so both answers stand in one page, found by the address
// alone. A page remembers one location per four bytes directly; others that start there (of
// another size, or within the four bytes) are in a table beside. When memory is allocated or
// freed, or a stack begins a new life, everything known about it is forgotten, and pages
// without any location are given back; so the space that this takes follows the memory in use,
// and not the length of the run.
//
// Values are bytes, so that accesses of different sizes to the same place agree: a read
// whose bytes differ from the known ones saw what no event wrote.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include <absl/container/flat_hash_map.h>

#include "trace/event.h"

namespace heddle {

class KnownMemory {
 public:
  // None when no location of this size is known to start there.
  LocationId location(std::uint64_t address, std::uint32_t size);
  void set_location(std::uint64_t address, std::uint32_t size, LocationId location);
  // A new life of this memory.
  void forget(std::uint64_t low, std::uint64_t high);

  // Values of 1, 2, 4 or 8 bytes. False when the bytes are known to be others.
  bool agrees(std::uint64_t address, std::uint32_t size, std::uint64_t value);
  void set_value(std::uint64_t address, std::uint32_t size, std::uint64_t value);
  // Something that is not known was written there.
  void forget_values(std::uint64_t address, std::uint64_t size);

 private:
  static constexpr std::uint64_t kPageBytes = 4096;
  static constexpr std::uint64_t kPagesPerChunk = 512;

  struct Slot {
    LocationId location = LocationId::none();
    std::uint32_t key = 0;  // size, and position within the four bytes
  };
  struct Page {
    std::array<std::uint8_t, kPageBytes> bytes;
    std::array<std::uint64_t, kPageBytes / 64> known{};  // a bit for each byte
    std::array<Slot, kPageBytes / 4> slots;
    absl::flat_hash_map<std::uint64_t, LocationId> others;  // by size and offset
    std::uint32_t used_slots = 0;

    void forget(std::uint64_t first, std::uint64_t last);
    void forget_values(std::uint64_t first, std::uint64_t last);
  };
  using Chunk = std::array<std::unique_ptr<Page>, kPagesPerChunk>;
  struct Recent {
    std::uint64_t number = ~std::uint64_t{0};
    Page* page = nullptr;
  };

  Page& page_at(std::uint64_t address);
  Page& find_page(std::uint64_t number);
  // Calls action(page, first offset, last offset).
  template <typename Action>
  void for_existing_pages(std::uint64_t low, std::uint64_t high, Action action);
  void give_back_if_empty(std::unique_ptr<Page>& page, std::uint64_t number);

  absl::flat_hash_map<std::uint64_t, std::unique_ptr<Chunk>> chunks_;
  std::array<Recent, 256> recent_;
};

}  // namespace heddle
