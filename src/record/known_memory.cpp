#include "record/known_memory.h"

namespace heddle {
namespace {

std::uint64_t other_key(std::uint64_t address, std::uint32_t size) {
  return std::uint64_t{size} << 12 | (address & 4095);
}

bool crosses_page(std::uint64_t address, std::uint32_t size) {
  return (address & 4095) + size > 4096;
}

}  // namespace

KnownMemory::Page& KnownMemory::find_page(std::uint64_t number) {
  std::unique_ptr<Chunk>& chunk = chunks_[number / kPagesPerChunk];
  if (chunk == nullptr) chunk = std::make_unique<Chunk>();
  std::unique_ptr<Page>& page = (*chunk)[number % kPagesPerChunk];
  if (page == nullptr) page = std::make_unique<Page>();
  return *page;
}

LocationId KnownMemory::other_location(const Page& page, std::uint64_t address,
                                       std::uint32_t size) {
  const auto other = page.others.find(other_key(address, size));
  return other != page.others.end() ? other->second : LocationId::none();
}

// Sizes that a key has no room for are told apart in the table.
void KnownMemory::set_location(std::uint64_t address, std::uint32_t size, LocationId location) {
  Page& page = page_at(address);
  const std::size_t first = first_slot(address);
  const bool fits = size < kLargestInSlot;
  for (const std::size_t slot : {first, first + 1}) {
    if (!fits || page.locations[slot].valid()) continue;
    page.locations[slot] = location;
    page.keys[slot] = key_of(address, size);
    ++page.used_slots;
    return;
  }
  page.others[other_key(address, size)] = location;
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
      action(page, number, std::max(low, start) - start, std::min(high - start, kPageBytes) - 1);
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

void KnownMemory::Page::forget_locations(std::uint64_t first, std::uint64_t last) {
  const std::size_t from = first_slot(first);
  const auto slots = std::span(locations).subspan(from, first_slot(last) + 2 - from);
  if (used_slots > 0) {
    for (const LocationId location : slots) used_slots -= location.valid() ? 1 : 0;
    std::ranges::fill(slots, LocationId::none());
  }
  if (others.empty()) return;
  absl::erase_if(others, [&](const auto& other) {
    const std::uint64_t offset = other.first & kOffsetMask;
    return offset >= (first & ~std::uint64_t{3}) && offset <= (last | 3);
  });
}

void KnownMemory::forget(std::uint64_t low, std::uint64_t high) {
  for_existing_pages(low, high, [this](auto& page, auto number, auto first, auto last) {
    page->forget_values(first, last);
    page->forget_locations(first, last);
    give_back_if_empty(page, number);
  });
}

void KnownMemory::forget_locations(std::uint64_t low, std::uint64_t high) {
  for_existing_pages(low, high, [](auto& page, auto, auto first, auto last) {
    page->forget_locations(first, last);
  });
}

void KnownMemory::forget_values(std::uint64_t address, std::uint64_t size) {
  const std::uint64_t offset = address & kOffsetMask;
  if (offset + size <= kPageBytes) return page_at(address).forget_values(offset, offset + size - 1);
  for_existing_pages(address, address + size, [](auto& page, auto, auto first, auto last) {
    page->forget_values(first, last);
  });
}

bool KnownMemory::agrees(std::uint64_t address, std::uint32_t size, std::uint64_t value) {
  if (crosses_page(address, size)) return true;
  const Page& page = page_at(address);
  const std::uint64_t offset = address & kOffsetMask;
  for (std::uint64_t i = 0; i < size; ++i) {
    const std::uint64_t at = offset + i;
    const bool known = (page.known[at / 64] >> at % 64 & 1) != 0;
    if (known && page.bytes[at] != static_cast<std::uint8_t>(value >> 8 * i)) return false;
  }
  return true;
}

void KnownMemory::set_odd_value(std::uint64_t address, std::uint32_t size, std::uint64_t value) {
  if (crosses_page(address, size)) return forget_values(address, size);
  Page& page = page_at(address);
  const std::uint64_t offset = address & kOffsetMask;
  put_bytes(&page.bytes[offset], value, size);
  for (std::uint64_t at = offset; at < offset + size; ++at) {
    page.known[at / 64] |= std::uint64_t{1} << at % 64;
  }
}

}  // namespace heddle
