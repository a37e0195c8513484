#include "record/known_memory.h"

#include <algorithm>
#include <cstring>

namespace heddle {
namespace {

constexpr std::uint64_t kOffsetMask = 4095;
constexpr std::uint32_t kLargestInSlot = 1u << 29;

std::uint32_t key_of(std::uint64_t address, std::uint32_t size) {
  return size << 2 | static_cast<std::uint32_t>(address & 3);
}

std::uint64_t other_key(std::uint64_t address, std::uint32_t size) {
  return std::uint64_t{size} << 12 | (address & kOffsetMask);
}

bool crosses_page(std::uint64_t address, std::uint32_t size) {
  return (address & kOffsetMask) + size > kOffsetMask + 1;
}

// Sizes are known to the compiler: a call per access would cost more than the rest.
void put_bytes(std::uint8_t* to, std::uint64_t value, std::uint32_t size) {
  switch (size) {
    case 1: std::memcpy(to, &value, 1); return;
    case 2: std::memcpy(to, &value, 2); return;
    case 4: std::memcpy(to, &value, 4); return;
    default: std::memcpy(to, &value, 8); return;
  }
}

std::uint64_t get_bytes(const std::uint8_t* from, std::uint32_t size) {
  std::uint64_t value = 0;
  switch (size) {
    case 1: std::memcpy(&value, from, 1); break;
    case 2: std::memcpy(&value, from, 2); break;
    case 4: std::memcpy(&value, from, 4); break;
    default: std::memcpy(&value, from, 8); break;
  }
  return value;
}

std::uint64_t bits_of(std::uint32_t count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

}  // namespace

KnownMemory::Page& KnownMemory::find_page(std::uint64_t number) {
  std::unique_ptr<Chunk>& chunk = chunks_[number / kPagesPerChunk];
  if (chunk == nullptr) chunk = std::make_unique<Chunk>();
  std::unique_ptr<Page>& page = (*chunk)[number % kPagesPerChunk];
  if (page == nullptr) page = std::make_unique<Page>();
  return *page;
}

KnownMemory::Page& KnownMemory::page_at(std::uint64_t address) {
  const std::uint64_t number = address / kPageBytes;
  Recent& recent = recent_[number % recent_.size()];
  if (recent.number != number) recent = {number, &find_page(number)};
  return *recent.page;
}

LocationId KnownMemory::location(std::uint64_t address, std::uint32_t size) {
  Page& page = page_at(address);
  const Slot& slot = page.slots[(address & kOffsetMask) / 4];
  if (slot.key == key_of(address, size) && size < kLargestInSlot) return slot.location;
  const auto other = page.others.find(other_key(address, size));
  return other != page.others.end() ? other->second : LocationId::none();
}

void KnownMemory::set_location(std::uint64_t address, std::uint32_t size, LocationId location) {
  Page& page = page_at(address);
  Slot& slot = page.slots[(address & kOffsetMask) / 4];
  if (!slot.location.valid() && size < kLargestInSlot) {
    slot = {location, key_of(address, size)};
    ++page.used_slots;
  } else {
    page.others[other_key(address, size)] = location;
  }
}

void KnownMemory::give_back_if_empty(std::unique_ptr<Page>& page, std::uint64_t number) {
  if (page->used_slots > 0 || !page->others.empty()) return;
  page.reset();
  Recent& recent = recent_[number % recent_.size()];
  if (recent.number == number) recent = Recent();
}

template <typename Action>
void KnownMemory::for_existing_pages(std::uint64_t low, std::uint64_t high, Action action) {
  if (low >= high) return;
  const std::uint64_t last = (high - 1) / kPageBytes;
  for (std::uint64_t number = low / kPageBytes; number <= last;) {
    const std::uint64_t chunk_end = (number / kPagesPerChunk + 1) * kPagesPerChunk;
    const auto chunk = chunks_.find(number / kPagesPerChunk);
    for (; number < chunk_end && number <= last; ++number) {
      if (chunk == chunks_.end()) continue;
      std::unique_ptr<Page>& page = (*chunk->second)[number % kPagesPerChunk];
      if (page == nullptr) continue;
      const std::uint64_t start = number * kPageBytes;
      action(*page, std::max(low, start) - start, std::min(high - start, kPageBytes) - 1);
      give_back_if_empty(page, number);
    }
  }
}

// `last` is in the range, too.
void KnownMemory::Page::forget_values(std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t word = first / 64; word <= last / 64; ++word) {
    const std::uint64_t from = word == first / 64 ? first % 64 : 0;
    const std::uint64_t to = word == last / 64 ? last % 64 : 63;
    known[word] &= ~(bits_of(static_cast<std::uint32_t>(to - from + 1)) << from);
  }
}

void KnownMemory::Page::forget(std::uint64_t first, std::uint64_t last) {
  forget_values(first, last);
  for (std::uint64_t i = first / 4; i <= last / 4; ++i) {
    used_slots -= slots[i].location.valid() ? 1 : 0;
    slots[i] = Slot();
  }
  if (others.empty()) return;
  absl::erase_if(others, [&](const auto& other) {
    const std::uint64_t offset = other.first & kOffsetMask;
    return offset >= (first & ~std::uint64_t{3}) && offset <= (last | 3);
  });
}

void KnownMemory::forget(std::uint64_t low, std::uint64_t high) {
  for_existing_pages(low, high, [](Page& page, std::uint64_t first, std::uint64_t last) {
    page.forget(first, last);
  });
}

void KnownMemory::forget_values(std::uint64_t address, std::uint64_t size) {
  for_existing_pages(
      address, address + size,
      [](Page& page, std::uint64_t first, std::uint64_t last) { page.forget_values(first, last); });
}

bool KnownMemory::agrees(std::uint64_t address, std::uint32_t size, std::uint64_t value) {
  if (crosses_page(address, size)) return true;
  const Page& page = page_at(address);
  const std::uint64_t offset = address & kOffsetMask;
  if (address % size == 0) {
    const std::uint64_t wanted = bits_of(size) << offset % 64;
    if ((page.known[offset / 64] & wanted) == wanted) {
      return get_bytes(&page.bytes[offset], size) == (value & bits_of(8 * size));
    }
  }
  for (std::uint64_t i = 0; i < size; ++i) {
    const std::uint64_t at = offset + i;
    const bool known = (page.known[at / 64] >> at % 64 & 1) != 0;
    if (known && page.bytes[at] != static_cast<std::uint8_t>(value >> 8 * i)) return false;
  }
  return true;
}

void KnownMemory::set_value(std::uint64_t address, std::uint32_t size, std::uint64_t value) {
  if (crosses_page(address, size)) return forget_values(address, size);
  Page& page = page_at(address);
  const std::uint64_t offset = address & kOffsetMask;
  put_bytes(&page.bytes[offset], value, size);
  for (std::uint64_t at = offset; at < offset + size; at += address % size == 0 ? size : 1) {
    page.known[at / 64] |= bits_of(address % size == 0 ? size : 1) << at % 64;
  }
}

}  // namespace heddle
