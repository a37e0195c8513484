#include "record/known_memory.h"

namespace heddle {
namespace {

std::uint64_t other_key(std::uint64_t address, std::uint32_t size) {
  return std::uint64_t{size} << 12 | (address & 4095);
}

}  // namespace

KnownMemory::Page& KnownMemory::find_page(std::uint64_t number) {
  std::unique_ptr<Chunk>& chunk = chunks_[number / kPagesPerChunk];
  if (chunk == nullptr) chunk = std::make_unique<Chunk>();
  std::unique_ptr<Page>& page = (*chunk)[number % kPagesPerChunk];
  if (page == nullptr) page = std::make_unique_for_overwrite<Page>();  // bytes are not known
  return *page;
}

LocationId KnownMemory::location(std::uint64_t address, std::uint32_t size) {
  Page& page = page_at(address);
  if (const LocationId* slot = page.slot(address, size)) return *slot;
  const auto other = page.others_.find(other_key(address, size));
  return other != page.others_.end() ? other->second : LocationId::none();
}

// Sizes that a key has no room for are told apart in the table.
void KnownMemory::set_location(std::uint64_t address, std::uint32_t size, LocationId location) {
  Page& page = page_at(address);
  LocationId* const slot = page.slot(address, size);
  if (slot == nullptr) {
    page.others_[other_key(address, size)] = location;
  } else if (slot->valid()) {
    *slot = location;
  } else {
    page.fill(*slot, location);
  }
}

void KnownMemory::give_back_if_empty(std::unique_ptr<Page>& page, std::uint64_t number) {
  if (!page->is_empty()) return;
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
    known_[word] &= ~(bits_of(static_cast<std::uint32_t>(to - from + 1)) << from);
  }
}

// How many had a location. Counted without a branch: many calls come to this.
std::uint32_t KnownMemory::Page::empty_slots(std::size_t from, std::size_t to) {
  std::uint32_t used = 0;
  LocationId* const slots = locations_.data();
  for (std::size_t i = from; i != to; ++i) used += slots[i] != LocationId::none();
  std::fill(slots + from, slots + to, LocationId::none());
  return used;
}

void KnownMemory::Page::forget_locations(std::uint64_t first, std::uint64_t last) {
  if (used_slots_ > 0) used_slots_ -= empty_slots(first_slot(first), first_slot(last) + 2);
  if (others_.empty()) return;
  absl::erase_if(others_, [&](const auto& other) {
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

bool KnownMemory::Page::agrees(std::uint64_t address, std::uint32_t size,
                               std::uint64_t value) const {
  const std::uint64_t offset = address & kOffsetMask;
  for (std::uint64_t i = 0; i < size; ++i) {
    const std::uint64_t at = offset + i;
    const bool known = (known_[at / 64] >> at % 64 & 1) != 0;
    if (known && bytes_[at] != static_cast<std::uint8_t>(value >> 8 * i)) return false;
  }
  return true;
}

void KnownMemory::set_odd_value(std::uint64_t address, std::uint32_t size, std::uint64_t value) {
  if (crosses_page(address, size)) return forget_values(address, size);
  page_at(address).set_odd_value(address, size, value);
}

void KnownMemory::Page::set_odd_value(std::uint64_t address, std::uint32_t size,
                                      std::uint64_t value) {
  const std::uint64_t offset = address & kOffsetMask;
  put_bytes(&bytes_[offset], value, size);
  for (std::uint64_t at = offset; at < offset + size; ++at) {
    known_[at / 64] |= std::uint64_t{1} << at % 64;
  }
}

}  // namespace heddle
