#include "record/shared_memory.h"

namespace heddle {

SharedMemory::SharedMemory(const std::vector<wire::Range>& expected) {
  for (const wire::Range& range : expected) shared_.add(range.low, range.high);
}

void SharedMemory::take(std::span<const wire::Record> records) {
  for (const wire::Record& record : records) {
    if (record.type >= static_cast<std::uint8_t>(wire::Control::thread)) take(record);
  }
}

void SharedMemory::take(const wire::Record& record) {
  switch (static_cast<wire::Control>(record.type)) {
    case wire::Control::module: relocated_.push_back({record.object, record.value}); return;
    case wire::Control::region: return add_region(record);
    case wire::Control::block: return add_block(record);
    case wire::Control::late_shared: late_ = true; [[fallthrough]];
    case wire::Control::shared: return add_shared(record.object, record.value);
    default: return;
  }
}

void SharedMemory::add_region(const wire::Record& record) {
  const auto type = static_cast<wire::RegionType>(record.detail);
  if (type == wire::RegionType::thread_locals || type == wire::RegionType::initial_stack) {
    relocated_.push_back({record.object, record.value});
  }
}

void SharedMemory::add_block(const wire::Record& record) {
  const wire::AllocationSite site{
      {canonical(record.value), canonical(record.extra), canonical(record.pc)}};
  blocks_.insert_or_assign(record.object, Block{record.object + record.size, site});
}

std::uint64_t SharedMemory::canonical(std::uint64_t address) const {
  for (std::size_t i = 0; i < relocated_.size(); ++i) {
    if (address < relocated_[i].low || address >= relocated_[i].high) continue;
    return address - relocated_[i].low + wire::kCanonicalBase + i * wire::kCanonicalStep;
  }
  return address;
}

// Memory that is neither at a fixed place nor in a known one counts as shared anyway.
void SharedMemory::add_shared(std::uint64_t low, std::uint64_t high) {
  if (low >= wire::kCanonicalBase) {
    const std::uint64_t moved = canonical(low);
    if (moved != low) shared_.add(moved, moved + (high - low));
    return;
  }
  shared_.add(low, high);
  expect_block_at(low);
}

void SharedMemory::expect_block_at(std::uint64_t address) {
  auto found = blocks_.upper_bound(address);
  if (found == blocks_.begin()) return;
  Block& block = (--found)->second;
  if (address >= block.high || block.shared) return;
  block.shared = true;
  if (block.high - found->first > wire::kSmallBlock) return;
  sites_.insert(block.site);
  small_blocks_.push_back({found->first & ~std::uint64_t{7}, (block.high + 7) & ~std::uint64_t{7}});
}

std::vector<wire::Range> SharedMemory::forecast() {
  for (const wire::Range& block : small_blocks_) shared_.add(block.low, block.high);
  return shared_.ranges();
}

}  // namespace heddle
