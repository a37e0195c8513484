// The call stack of a thread, as a number.
//
// A stack is a node: a call site and the node of its caller. Nodes are stored once for all
// threads, so an event names its whole stack by one number, and the host is told about a
// node when it is new. Most functions are left again before an event needs their node, so
// entry only notes the call site; the node is looked up when it is asked for.
//
// longjmp leaves functions without their exit hooks. Each frame remembers where the machine
// stack was, and an entry first drops all frames that are not above it.
#pragma once

#include <cstdint>

#include "runtime/ground_rules.h"

namespace heddle::runtime {

struct Thread;

struct Frame {
  std::uint64_t machine_stack;
  std::uint64_t entry;  // an address at the beginning of the function
  std::uint64_t call_site;
  std::uint64_t node;  // kUnknown until somebody asks
  static constexpr std::uint64_t kUnknown = ~std::uint64_t{0};
};

class ShadowStack {
 public:
  static constexpr std::uint32_t kMaxDepth = 1u << 19;

  void use(Frame* memory) { frames_ = memory; }
  Frame* memory() { return frames_; }

  std::uint32_t node() {
    if (depth_ == 0) return 0;
    if (frames_[depth_ - 1].node == Frame::kUnknown) find_nodes();
    return static_cast<std::uint32_t>(frames_[depth_ - 1].node);
  }
  const Frame* top() const { return depth_ == 0 ? nullptr : &frames_[depth_ - 1]; }
  void push(std::uint64_t call_site, std::uint64_t entry, std::uint64_t machine_stack) {
    while (depth_ > 0 && frames_[depth_ - 1].machine_stack <= machine_stack) --depth_;
    if (depth_ == kMaxDepth) return;
    frames_[depth_] = {machine_stack, entry, call_site, Frame::kUnknown};
    ++depth_;
  }
  void pop() {
    if (depth_ > 0) --depth_;
  }

 private:
  void find_nodes();
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
