#include "runtime/told_frames.h"

#include "runtime/event_log.h"

namespace heddle::runtime {

constinit ToldFrames told_frames;

namespace {

// Where the frames of a thread begin.
std::uint64_t top_of(const Thread& thread) {
  if (thread.frames_top != 0) return thread.frames_top;
  return kSlotBase + (thread.stack_slot + 1) * kSlotSize;
}

std::uint64_t low_of(const Thread& thread) { return kSlotBase + thread.stack_slot * kSlotSize; }

}  // namespace

ToldFrames::Held ToldFrames::find(Thread& thread, std::uint64_t address) {
  ShadowStack& stack = thread.stack;
  const std::uint32_t index = stack.holder(address);
  const std::uint64_t high = index == 0 ? top_of(thread) : stack.frame(index - 1).low();
  const bool held = index < stack.depth();
  return {held ? stack.frame(index).low() : low_of(thread), high, &stack, index};
}

void ToldFrames::find_holder_of(std::uint64_t address) {
  Thread* const thread = slot_owner(address);
  if (thread == nullptr || address >= top_of(*thread)) return;
  const Held before = last_;
  last_ = find(*thread, address);
  if (is_known(last_)) return;
  if (last_.index < thread->stack.depth()) {
    Frame& frame = thread->stack.frame(last_.index);
    frame.place |= Frame::kTold;
    event_log.define_frame(*thread, frame, thread->stack.node_at(last_.index + 1), last_.high);
  } else if (before.stack != last_.stack || before.low != last_.low || before.high != last_.high) {
    event_log.define_no_frame(*thread, last_.high);
  }
}

}  // namespace heddle::runtime
