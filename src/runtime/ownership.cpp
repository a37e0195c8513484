#include "runtime/ownership.h"

#include <sys/mman.h>

#include "runtime/allocator.h"
#include "runtime/event_log.h"
#include "runtime/gate.h"
#include "runtime/stack_slot.h"

namespace heddle::runtime {

constinit Ownership ownership;

namespace {

constexpr std::uint64_t kFixedEnd = 0x4000'0000'0000;  // heap, stacks and arguments lie below

std::uint64_t first_granule(std::uint64_t address) { return address & ~(kGranule - 1); }

// A thread that had the same stack before has left it.
bool left_by_predecessor(const Thread& thread, std::uint64_t address, std::uint16_t owner) {
  const std::uint64_t slot = kSlotBase + thread.stack_slot * kSlotSize;
  if (address - slot >= kSlotSize || owner == kUntracked) return false;
  return gate.thread(owner - 1u).stack_slot == thread.stack_slot;
}

bool in_own_arena(const Thread& thread, std::uint64_t address) {
  return (address - kArenaBase) / kArenaSize == thread.id;
}

}  // namespace

bool Ownership::open(const wire::Range* shared, std::uint64_t count) {
  void* wanted = reinterpret_cast<void*>(kTable);
  void* table =
      REAL(mmap)(wanted, kTableSize + kPagesSize, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (table != wanted) return false;
  REAL(madvise)(table, kTableSize + kPagesSize, MADV_DONTDUMP);
  active_ = true;
  shared_ = shared;
  shared_count_ = count;
  preset(kArenaBase, kFixedEnd);
  return true;
}

// Marks what is known to be shared within these canonical addresses.
void Ownership::preset(std::uint64_t low, std::uint64_t high) {
  for (std::uint64_t i = 0; i < shared_count_; ++i) {
    const wire::Range& range = shared_[i];
    if (range.low < low || range.low >= high) continue;
    const std::uint64_t moved =
        relocated_.empty() || low < kFixedEnd ? 0 : relocated_.back().low - low;
    for (std::uint64_t at = range.low; at < range.high; at += kGranule) {
      mark_shared(at + moved);
    }
  }
}

void Ownership::add_relocated(std::uint64_t low, std::uint64_t high) {
  if (!active_) return;
  const std::uint64_t canonical = wire::kCanonicalBase + relocated_.size() * wire::kCanonicalStep;
  relocated_.push({low, high});
  preset(canonical, canonical + (high - low));
}

bool Ownership::knows(std::uint64_t address) {
  if (address >= kArenaBase && address < kFixedEnd) return true;
  for (const wire::Range& range : relocated_) {
    if (address >= range.low && address < range.high) return true;
  }
  return false;
}

bool Ownership::may_own_untouched(const Thread& thread, std::uint64_t address) {
  if (!in_arena(reinterpret_cast<void*>(address))) return knows(address);
  return in_own_arena(thread, address);
}

bool Ownership::may_own(const Thread& thread, std::uint64_t address, std::uint16_t owner) {
  if (thread.mark == kUntracked) return false;
  return owner == 0 ? may_own_untouched(thread, address)
                    : left_by_predecessor(thread, address, owner);
}

bool Ownership::touch_granule(const Thread& thread, std::uint64_t granule) {
  std::uint16_t& owner = owner_of(granule);
  if (owner == thread.mark) return false;
  if (owner == kSharedOwner) return true;
  if (may_own(thread, granule, owner)) {
    owner = thread.mark;
    return false;
  }
  if (knows(granule)) event_log.tell_shared(granule, granule + kGranule);
  mark_shared(granule);
  return true;
}

// An access with a value that reaches over the end of a granule would tie the two together;
// there are few, so both are taken to be shared.
bool Ownership::touch(const Thread& thread, std::uint64_t address, std::uint64_t size) {
  const std::uint64_t end = address + size;
  if (size <= kGranule && first_granule(address) != first_granule(end - 1)) {
    share(address);
    share(end - 1);
    return true;
  }
  bool shared = false;
  for (std::uint64_t at = first_granule(address); at < end; at += kGranule) {
    shared |= touch_granule(thread, at);
  }
  return shared;
}

void Ownership::share(std::uint64_t address) {
  if (active_) share_all(address, 1, true);
}

void Ownership::share_all(std::uint64_t address, std::uint64_t size, bool untouched_too) {
  for (std::uint64_t at = first_granule(address); at < address + size; at += kGranule) {
    const std::uint16_t owner = owner_of(at);
    if (owner == kSharedOwner || (owner == 0 && !untouched_too)) continue;
    mark_shared(at);
    event_log.tell_shared(at, at + kGranule);
  }
}

bool Ownership::any_shared(std::uint64_t address, std::uint64_t size) {
  const std::uint64_t end = address + size;
  for (std::uint64_t at = first_granule(address); at < end;) {
    const std::uint64_t page_end = (at / 4096 + 1) * 4096;
    if (shared_on_page(at) == 0) {
      at = page_end;
      continue;
    }
    for (; at < end && at < page_end; at += kGranule) {
      if (owner_of(at) == kSharedOwner) return true;
    }
  }
  return false;
}

// Threads beyond the number of arenas share them; then it is not known whose a block is.
void Ownership::allocated(const Thread& thread, std::uint64_t address, std::uint64_t size) {
  if (!in_own_arena(thread, address)) share_all(address, size, true);
}

void Ownership::freed(const Thread& thread, std::uint64_t address, std::uint64_t size) {
  if (!in_own_arena(thread, address)) share_all(address, size, false);
}

}  // namespace heddle::runtime
