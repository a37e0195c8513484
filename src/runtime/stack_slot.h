// Where the stacks of threads lie: at fixed addresses, in slots that are used again once
// their thread is gone for good. A slot also holds what the runtime keeps of a thread's
// calls and keys.
#pragma once

#include <cstdint>

#include "runtime/thread.h"

namespace heddle::runtime {

inline constexpr std::uint64_t kSlotBase = 0x3000'0000'0000;
inline constexpr std::uint64_t kSlotsEnd = 0x3800'0000'0000;  // stacks that fit into no slot follow
inline constexpr std::uint64_t kSlotSize = std::uint64_t{64} << 20;
inline constexpr std::uint64_t kDefaultStack = std::uint64_t{8} << 20;

struct StackBounds {
  std::uint64_t low;
  std::uint64_t high;
};

// The thread library keeps a thread's own variables at the high end of its stack; frames begin
// below this part. So they lie at the same addresses however the thread is carried, and what is
// found with one vehicle happens again with another.
inline constexpr std::uint64_t kLibraryPart = std::uint64_t{256} << 10;

// Gives the thread a slot with a stack of at least this size.
StackBounds take_slot(Thread& thread, std::uint64_t stack_size);
void give_slot_back(Thread& thread);
// The thread whose slot holds this address; null if nobody has it.
Thread* slot_owner(std::uint64_t address);

}  // namespace heddle::runtime
