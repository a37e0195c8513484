// Which call holds what on a stack, told to the host before it hears of the place.
//
// What two threads share on a stack is a variable of some call that is still going on. The
// host finds its name if it knows where that call's frame lies (native/locals.h). So whenever a
// record names an address on a stack, the frame that holds it is looked for in the shadow stack
// of the thread whose stack it is, and told unless it was. Nothing of this happens for accesses
// that become no records; for those that do, it is a comparison, if the place is on no stack, or
// in the same frame as the last one.
#pragma once

#include <cstdint>

#include "runtime/stack_slot.h"

namespace heddle::runtime {

inline bool on_stack(std::uint64_t address) { return address - kSlotBase < kSlotsEnd - kSlotBase; }

class ToldFrames {
 public:
  // Of an address on a stack.
  void tell_holder_of(std::uint64_t address) {
    if (address < last_.low || address >= last_.high || !is_known(last_)) find_holder_of(address);
  }

 private:
  // Memory, and who holds it.
  struct Held {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    ShadowStack* stack = nullptr;
    std::uint32_t index = 0;  // of the frame; the depth of the stack: no frame
  };

  // A frame that was told is not told again until it is left, and entering another one in its
  // place of the shadow stack takes the mark away.
  static bool is_known(const Held& held) {
    if (held.stack == nullptr || held.index >= held.stack->depth()) return false;
    const Frame& frame = held.stack->frame(held.index);
    return frame.low() == held.low && frame.is_told();
  }
  static Held find(Thread& thread, std::uint64_t address);
  void find_holder_of(std::uint64_t address);

  Held last_;
};

extern ToldFrames told_frames;

}  // namespace heddle::runtime
