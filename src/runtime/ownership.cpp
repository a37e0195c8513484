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

// So much of a new block is marked when it is allocated.
constexpr std::uint64_t kMarked = std::uint64_t{64} << 10;

// Whose a stretch is, by its stack.
LARGE std::uint32_t slot_of_stretch[kUntracked];

bool in_own_arena(const Thread& thread, std::uint64_t address) {
  return (address - kArenaBase) / kArenaSize == thread.id;
}

}  // namespace

std::uint16_t Ownership::new_stretch(const Thread& thread) {
  if (stretches_ + 1 >= kNoMark) return kUntracked;
  slot_of_stretch[++stretches_] = thread.stack_slot;
  return stretches_;
}

// Once there are not many numbers left, a thread that forks keeps its own, and what it touches is
// not over for the other one.
void Ownership::forked(Thread& parent, Thread& child) {
  if (!active_) return;
  constexpr std::uint16_t kScarce = 60'000;
  const bool begins_another = stretches_ < kScarce && parent.mark != kUntracked;
  if (begins_another) parent.over.add(parent.mark);
  child.over = parent.over;
  child.mark = new_stretch(child);
  if (!begins_another) return;
  parent.mark = new_stretch(parent);
  set_current_thread(&parent);
}

void Ownership::joined(Thread& self, const Thread& other) {
  if (!active_) return;
  self.over.add(other.over);
  if (other.mark != kUntracked) self.over.add(other.mark);
}

bool Ownership::open(const wire::Range* shared, std::uint64_t count) {
  void* wanted = reinterpret_cast<void*>(kOwnerTable);
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

// A thread that had the same stack before has left it.
bool Ownership::left_by_predecessor(const Thread& thread, std::uint64_t address,
                                    std::uint16_t owner) {
  const std::uint64_t slot = kSlotBase + thread.stack_slot * kSlotSize;
  return address - slot < kSlotSize && slot_of_stretch[owner] == thread.stack_slot;
}

bool Ownership::may_own(const Thread& thread, std::uint64_t address, std::uint16_t owner) {
  if (thread.mark == kUntracked) return false;
  if (owner == 0) return may_own_untouched(thread, address);
  return thread.over.contains(owner) || left_by_predecessor(thread, address, owner);
}

bool Ownership::touch_granule(const Thread& thread, std::uint64_t granule) {
  std::uint16_t& owner = owner_of(granule);
  if (owner == thread.mark) return false;
  if (owner == kSharedOwner) return true;
  if (may_own(thread, granule, owner)) {
    owner = thread.mark;
    return false;
  }
  if (knows(granule)) event_log.tell_shared(granule, granule + kGranule, true);
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
    if (owner_of(at) != thread.mark) shared |= touch_granule(thread, at);
  }
  return shared;
}

void Ownership::share(std::uint64_t address) {
  if (active_) share_all(address, 1);
}

void Ownership::share_all(std::uint64_t address, std::uint64_t size) {
  for (std::uint64_t at = first_granule(address); at < address + size; at += kGranule) {
    const std::uint16_t owner = owner_of(at);
    if (owner == kSharedOwner) continue;
    mark_shared(at);
    // Of a heap block, the allocation was left out.
    event_log.tell_shared(at, at + kGranule, owner != 0 || in_arena(reinterpret_cast<void*>(at)));
  }
}

// What lay there before, and was left out, would be in a trace of all that is shared.
void Ownership::expect_shared(std::uint64_t address, std::uint64_t size, bool is_new) {
  const std::uint64_t low = first_granule(address);
  const std::uint64_t high = first_granule(address + size + kGranule - 1);
  std::uint64_t known = low;
  while (known < high && owner_of(known) == kSharedOwner) known += kGranule;
  if (known >= high) return;
  for (std::uint64_t at = known; at < high; at += kGranule) mark_shared(at);
  event_log.tell_shared(low, high, !is_new);
}

std::uint64_t Ownership::canonical(std::uint64_t address) {
  for (std::size_t i = 0; i < relocated_.size(); ++i) {
    if (address < relocated_[i].low || address >= relocated_[i].high) continue;
    return address - relocated_[i].low + wire::kCanonicalBase + i * wire::kCanonicalStep;
  }
  return address;
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
  if (!in_own_arena(thread, address) || thread.mark == kUntracked) {
    return share_all(address, size);
  }
  if (size > kMarked && last_block_is_new()) return;
  const std::uint64_t end = address + size;
  for (std::uint64_t at = first_granule(address); at < end; at += kGranule) {
    std::uint16_t& owner = owner_of(at);
    if (owner != kSharedOwner) owner = thread.mark;
  }
}

void Ownership::freed(const Thread& thread, std::uint64_t address, std::uint64_t size) {
  const std::uint64_t end = address + size;
  for (std::uint64_t at = first_granule(address); at < end; at += kGranule) {
    const std::uint16_t owner = owner_of(at);
    if (owner != thread.mark && owner != 0) touch_granule(thread, at);
  }
}

}  // namespace heddle::runtime
