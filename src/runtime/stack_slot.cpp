// Layout of a slot: a page that nobody may touch, the stack, the shadow stack's frames, and
// the values of keys.
#include "runtime/stack_slot.h"

namespace heddle::runtime {
namespace {

constexpr std::uint64_t kGuard = 4096;
constexpr std::uint64_t kFrames = std::uint64_t{40} << 20;
constexpr std::uint64_t kKeys = std::uint64_t{60} << 20;
constexpr std::uint64_t kLargestStack = kFrames - kGuard;

static_assert(kFrames + ShadowStack::kMaxDepth * sizeof(Frame) <= kKeys);
static_assert(kKeys + kMaxKeys * sizeof(KeyValue) <= kSlotSize);

Array<std::uint32_t> free_slots;
std::uint32_t slot_count;
Array<Thread*> owners;  // by slot
std::uint64_t large_end = kSlotsEnd;

// What is mapped stays so.
KEPT std::uint64_t* mapped_stacks;  // by slot: size of the stack
KEPT std::uint32_t mapped_slots;
KEPT std::uint64_t mapped_large_end = kSlotsEnd;
constexpr std::uint32_t kMostSlots = 1u << 20;

std::uint64_t base_of(std::uint32_t slot) { return kSlotBase + slot * kSlotSize; }

std::uint32_t unused_slot() {
  if (!free_slots.empty()) {
    const std::uint32_t slot = free_slots.back();
    free_slots.pop();
    return slot;
  }
  const std::uint32_t slot = slot_count++;
  if (slot < mapped_slots) return slot;
  if (slot == kMostSlots) fail("the program has more than a million threads at a time");
  if (mapped_stacks == nullptr) {
    mapped_stacks = static_cast<std::uint64_t*>(map_kept_pages(kMostSlots * sizeof(std::uint64_t)));
  }
  mapped_slots = slot_count;
  map_pages_at(base_of(slot) + kFrames, ShadowStack::kMaxDepth * sizeof(Frame));
  map_pages_at(base_of(slot) + kKeys, kMaxKeys * sizeof(KeyValue));
  return slot;
}

// The stack's high end is the same for all sizes, so that offsets from it are, too.
void extend_stack(std::uint32_t slot, std::uint64_t size) {
  const std::uint64_t mapped = mapped_stacks[slot];
  if (mapped >= size) return;
  map_pages_at(base_of(slot) + kFrames - size, size - mapped);
  mapped_stacks[slot] = size;
}

StackBounds large_stack(std::uint64_t size) {
  const std::uint64_t low = large_end + kGuard;
  large_end = low + size;
  if (large_end > mapped_large_end) {
    map_pages_at(low, size);
    mapped_large_end = large_end;
  }
  return {low, large_end};
}

}  // namespace

StackBounds take_slot(Thread& thread, std::uint64_t stack_size) {
  const std::uint32_t slot = unused_slot();
  thread.stack_slot = slot;
  while (owners.size() <= slot) owners.push(nullptr);
  owners[slot] = &thread;
  thread.stack.use(reinterpret_cast<Frame*>(base_of(slot) + kFrames));
  thread.keys = reinterpret_cast<KeyValue*>(base_of(slot) + kKeys);
  stack_size = (stack_size + 4095) & ~std::uint64_t{4095};
  if (stack_size > kLargestStack) return large_stack(stack_size);
  extend_stack(slot, stack_size);
  return {base_of(slot) + kFrames - stack_size, base_of(slot) + kFrames};
}

void give_slot_back(Thread& thread) {
  for (std::uint32_t key = 0; key < thread.keys_end; ++key) thread.keys[key] = {};
  owners[thread.stack_slot] = nullptr;
  free_slots.push(thread.stack_slot);
}

Thread* slot_owner(std::uint64_t address) {
  const std::uint64_t slot = (address - kSlotBase) / kSlotSize;
  return slot < owners.size() ? owners[slot] : nullptr;
}

}  // namespace heddle::runtime
