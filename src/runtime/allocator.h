// The program's heap: deterministic arenas at fixed addresses, one per thread.
//
// Where a block lies depends only on what its thread allocated and freed itself before.
// Blocks freed by another thread are not used again, up to a limit (quarantine). The gate
// lets one thread run, so there are no locks. Threads beyond the 1024th share arenas with
// earlier ones.
//
// A block is a slot of its size class with a header before the bytes that the program gets.
// Slots come from the arena's end or from the free list of their class.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/thread.h"

namespace heddle::runtime {

inline constexpr std::uint64_t kArenaBase = 0x1000'0000'0000;
inline constexpr std::uint64_t kArenaSize = std::uint64_t{32} << 30;
inline constexpr std::uint32_t kArenas = 1024;

inline bool in_arena(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer) - kArenaBase < kArenas * kArenaSize;
}

// Null when there is no memory; alignment is a power of two.
void* allocate(Thread& thread, std::size_t size, std::size_t alignment);
// Whether the block that was allocated last lies in memory that was never given out before.
bool last_block_is_new();
// False when the block is not in use (freed twice, or never allocated).
bool is_allocated(const void* block);
void release(Thread& thread, void* block);
std::size_t size_of_block(const void* block);

// The part of an arena that was ever given out.
MemoryRange allocated_range(std::uint32_t arena);

}  // namespace heddle::runtime
