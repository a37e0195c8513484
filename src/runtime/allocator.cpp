#include "runtime/allocator.h"

#include <sys/mman.h>

#include "runtime/event_log.h"

namespace heddle::runtime {
namespace {

constexpr std::uint64_t kStep = std::uint64_t{32} << 20;  // an arena grows by this much
constexpr std::uint64_t kLarge = std::uint64_t{1} << 20;  // freed pages go back to the kernel
constexpr std::uint64_t kQuarantineLimit = std::uint64_t{256} << 20;
constexpr std::uint32_t kClasses = 8 + 4 * 32;

enum class BlockState : std::uint8_t { unused = 0, allocated = 0xa1, freed = 0xf2 };

struct BlockHeader {
  std::uint64_t size;    // as asked for
  std::uint32_t offset;  // of the bytes from the start of the slot
  std::uint16_t arena;
  std::uint8_t size_class;
  BlockState state;
};
static_assert(sizeof(BlockHeader) == 16);

struct FreeSlot {
  FreeSlot* next;
};

struct Arena {
  std::uint64_t end;  // of what was ever given out
  FreeSlot* free[kClasses];
};

LARGE Arena* arenas[kArenas];
KEPT std::uint64_t mapped[kArenas];  // so much of the arena is memory
std::uint64_t quarantined;
bool last_is_new;

// Classes: 16, 32, ... 128, and from there four to a doubling.
std::uint32_t class_of(std::uint64_t size) {
  if (size <= 128) return static_cast<std::uint32_t>((size - 1) / 16);
  const auto doubling = static_cast<std::uint32_t>(63 - __builtin_clzll(size - 1));
  const auto quarter = static_cast<std::uint32_t>((size - 1) >> (doubling - 2) & 3);
  return 8 + (doubling - 7) * 4 + quarter;
}

std::uint64_t size_of_class(std::uint32_t size_class) {
  if (size_class < 8) return (size_class + std::uint64_t{1}) * 16;
  const std::uint32_t doubling = (size_class - 8) / 4 + 7;
  const std::uint64_t quarter = (size_class - 8) % 4 + 1;
  return (std::uint64_t{1} << doubling) + (quarter << (doubling - 2));
}

Arena& arena_number(std::uint32_t number) {
  if (arenas[number] == nullptr) {
    arenas[number] = keep<Arena>();
    arenas[number]->end = kArenaBase + number * kArenaSize;
  }
  return *arenas[number];
}

bool extend(Arena& arena, std::uint32_t number, std::uint64_t size) {
  const std::uint64_t base = kArenaBase + number * kArenaSize;
  if (size > base + kArenaSize - arena.end) return false;
  const std::uint64_t needed = arena.end + size - base;
  if (needed > mapped[number]) {
    const std::uint64_t step = (needed - mapped[number] + kStep - 1) / kStep * kStep;
    map_pages_at(base + mapped[number], step);
    mapped[number] += step;
  }
  return true;
}

std::uint64_t take_slot_of(Arena& arena, std::uint32_t number, std::uint32_t size_class) {
  last_is_new = arena.free[size_class] == nullptr;
  if (FreeSlot* slot = arena.free[size_class]) {
    arena.free[size_class] = slot->next;
    return reinterpret_cast<std::uint64_t>(slot);
  }
  const std::uint64_t size = size_of_class(size_class);
  if (!extend(arena, number, size)) return 0;
  arena.end += size;
  return arena.end - size;
}

BlockHeader& header_of(const void* block) {
  return const_cast<BlockHeader*>(static_cast<const BlockHeader*>(block))[-1];
}

// Whether a slot that another thread freed may be used again: only when the quarantine is
// full.
bool may_reuse(Thread& thread, const BlockHeader& header) {
  if (header.arena == thread.id % kArenas) return true;
  quarantined += size_of_class(header.size_class);
  if (quarantined < kQuarantineLimit) return false;
  event_log.unseen(wire::Unseen::quarantine_full);
  return true;
}

}  // namespace

void* allocate(Thread& thread, std::size_t size, std::size_t alignment) {
  if (size > kArenaSize || alignment > kArenaSize) return nullptr;
  const std::uint32_t number = thread.id % kArenas;
  const std::uint64_t padding = alignment > 16 ? alignment : 0;
  const std::uint32_t size_class = class_of(size + sizeof(BlockHeader) + padding);
  const std::uint64_t slot = take_slot_of(arena_number(number), number, size_class);
  if (slot == 0) return nullptr;
  std::uint64_t start = slot + sizeof(BlockHeader);
  if (padding != 0) start = (start + alignment - 1) & ~(alignment - 1);
  void* block = reinterpret_cast<void*>(start);
  header_of(block) = {size, static_cast<std::uint32_t>(start - slot),
                      static_cast<std::uint16_t>(number), static_cast<std::uint8_t>(size_class),
                      BlockState::allocated};
  return block;
}

MemoryRange allocated_range(std::uint32_t arena) {
  const std::uint64_t base = kArenaBase + arena * kArenaSize;
  return {base, arenas[arena] != nullptr ? arenas[arena]->end : base};
}

bool last_block_is_new() { return last_is_new; }
bool is_allocated(const void* block) { return header_of(block).state == BlockState::allocated; }
std::size_t size_of_block(const void* block) { return header_of(block).size; }

void release(Thread& thread, void* block) {
  BlockHeader& header = header_of(block);
  header.state = BlockState::freed;
  auto* slot = reinterpret_cast<FreeSlot*>(static_cast<char*>(block) - header.offset);
  const std::uint32_t size_class = header.size_class;
  const bool reuse = may_reuse(thread, header);
  FreeSlot*& first = arena_number(header.arena).free[size_class];
  if (size_of_class(size_class) >= kLarge) {
    const std::uint64_t low =
        (reinterpret_cast<std::uint64_t>(block) + 4095) & ~std::uint64_t{4095};
    const std::uint64_t high =
        (reinterpret_cast<std::uint64_t>(slot) + size_of_class(size_class)) & ~std::uint64_t{4095};
    REAL(madvise)(reinterpret_cast<void*>(low), high - low, MADV_DONTNEED);
  }
  if (!reuse) return;
  slot->next = first;
  first = slot;
}

}  // namespace heddle::runtime
