// The call stack of a thread, as a number.
//
// A stack is a node: a call site and the node of its caller. Nodes are stored once for all
// threads, so an event names its whole stack by one number, and the host is told about a
// node when it is new. Most functions are left again before an event needs their node, so
// entry only notes the call site; the node is looked up when it is asked for.
//
// longjmp leaves functions without their exit hooks. Each frame remembers where the machine
// stack was, and an entry first drops all frames that are not above it.
//
// With the frame pointer, that is also enough for the host to find out which variable lies where
// in a frame (native/locals.h). It is told of a frame when another thread uses something in it.
#pragma once

#include <cstdint>

#include "runtime/ground_rules.h"

namespace heddle::runtime {

struct Thread;

struct Frame {
  std::uint64_t machine_stack;  // of the entry hook, which has the function's frame pointer there
  std::uint64_t place;          // an address at the beginning of the function, and kTold
  std::uint64_t call_site;
  std::uint32_t node;           // kUnknown until somebody asks
  std::uint32_t frame_pointer;  // so far above machine_stack
  static constexpr std::uint32_t kUnknown = ~std::uint32_t{0};
  static constexpr std::uint64_t kTold = std::uint64_t{1} << 63;

  std::uint64_t entry() const { return place & ~kTold; }
  bool is_told() const { return (place & kTold) != 0; }
  // The stack pointer of the function: it keeps nothing below.
  std::uint64_t low() const { return machine_stack + 16; }
};
static_assert(sizeof(Frame) == 32);

class ShadowStack {
 public:
  static constexpr std::uint32_t kMaxDepth = 1u << 19;

  void use(Frame* memory) { frames_ = memory; }
  Frame* memory() { return frames_; }

  std::uint32_t node() { return node_at(depth_); }
  // The same for the outermost `depth` calls.
  std::uint32_t node_at(std::uint32_t depth) {
    if (depth == 0) return 0;
    if (frames_[depth - 1].node == Frame::kUnknown) find_nodes(depth);
    return frames_[depth - 1].node;
  }
  const Frame* top() const { return depth_ == 0 ? nullptr : &frames_[depth_ - 1]; }
  std::uint32_t depth() const { return depth_; }
  Frame& frame(std::uint32_t index) { return frames_[index]; }
  // The frame that holds an address of the stack, which is the outermost one that begins at or
  // below it; depth() if none does.
  std::uint32_t holder(std::uint64_t address) const;
  void push(std::uint64_t call_site, std::uint64_t entry, std::uint64_t machine_stack,
            std::uint64_t frame_pointer) {
    while (depth_ > 0 && frames_[depth_ - 1].machine_stack <= machine_stack) --depth_;
    if (depth_ == kMaxDepth) return;
    frames_[depth_] = {machine_stack, entry, call_site, Frame::kUnknown,
                       static_cast<std::uint32_t>(frame_pointer - machine_stack)};
    ++depth_;
  }
  void pop() {
    if (depth_ > 0) --depth_;
  }

 private:
  void find_nodes(std::uint32_t depth);
  Frame* frames_ = nullptr;
  std::uint32_t depth_ = 0;
};

// The place in instrumented code from which an interposed function was called, perhaps by
// way of a library that is not instrumented.
std::uint64_t instrumented_site(Thread& thread, std::uint64_t caller);

// The module around this address is instrumented.
void note_instrumented_module(std::uint64_t address);
bool in_instrumented_module(std::uint64_t address);

}  // namespace heddle::runtime
