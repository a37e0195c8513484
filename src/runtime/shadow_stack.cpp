#include "runtime/shadow_stack.h"

#include <dlfcn.h>
#include <link.h>

#include "runtime/event_log.h"
#include "runtime/memory.h"
#include "runtime/thread.h"

namespace heddle::runtime {
namespace {

Map<std::uint32_t> nodes;
std::uint32_t node_count;

struct Range {
  std::uint64_t low;
  std::uint64_t high;
};
Array<Range> instrumented;

// The last few entries and the nodes they led to.
struct Cached {
  std::uint64_t call_site;
  std::uint32_t caller;
  std::uint32_t node;
};
LARGE Cached cache[256];

std::uint32_t find_node(std::uint32_t caller, std::uint64_t call_site) {
  // Two pairs with the same key are as good as impossible: addresses have 47 bits, and the
  // product spreads the caller over all of them.
  const std::uint64_t key = call_site ^ (caller + 1) * 0xd6e8feb86659fd93;
  if (const std::uint32_t* known = nodes.find(key)) return *known;
  const std::uint32_t node = ++node_count;
  nodes.insert(key, node);
  event_log.define_stack(node, caller, call_site);
  return node;
}

std::uint32_t cached_node(std::uint32_t caller, std::uint64_t call_site) {
  Cached& entry = cache[(call_site ^ caller * std::uint64_t{31}) & 255];
  if (entry.call_site != call_site || entry.caller != caller || entry.node == 0) {
    entry = {call_site, caller, find_node(caller, call_site)};
  }
  return entry.node;
}

int find_module(dl_phdr_info* info, std::size_t, void* data) {
  Range& range = *static_cast<Range*>(data);
  Range module{~std::uint64_t{0}, 0};
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const std::uint64_t start = info->dlpi_addr + segment.p_vaddr;
    if (start < module.low) module.low = start;
    if (start + segment.p_memsz > module.high) module.high = start + segment.p_memsz;
  }
  if (range.low < module.low || range.low >= module.high) return 0;
  range = module;
  return 1;
}

// Where the function on top of the shadow stack is just now: a function with a frame of
// fixed size makes all its calls from the same height of the machine stack, so their return
// addresses stand in the slot that the one of its entry hook stood in.
std::uint64_t current_call(const Frame& frame) {
  constexpr std::uint64_t kFunctionBytes = 1 << 16;
  const std::uint64_t word = *reinterpret_cast<const std::uint64_t*>(frame.machine_stack + 8);
  const std::uint64_t entry = frame.entry();
  return word > entry && word < entry + kFunctionBytes ? word : entry;
}

}  // namespace

// From the innermost frame whose node is known, outwards in.
void ShadowStack::find_nodes(std::uint32_t depth) {
  std::uint32_t first = depth;
  while (first > 0 && frames_[first - 1].node == Frame::kUnknown) --first;
  std::uint32_t node = first == 0 ? 0 : frames_[first - 1].node;
  for (; first < depth; ++first) {
    node = cached_node(node, frames_[first].call_site);
    frames_[first].node = node;
  }
}

std::uint32_t ShadowStack::holder(std::uint64_t address) const {
  std::uint32_t first = 0;
  std::uint32_t last = depth_;
  while (first < last) {
    const std::uint32_t middle = (first + last) / 2;
    if (frames_[middle].low() <= address) {
      last = middle;
    } else {
      first = middle + 1;
    }
  }
  return first;
}

std::uint64_t instrumented_site(Thread& thread, std::uint64_t caller) {
  const Frame* frame = thread.stack.top();
  if (frame == nullptr || in_instrumented_module(caller)) return caller;
  return current_call(*frame);
}

bool in_instrumented_module(std::uint64_t address) {
  for (const Range& range : instrumented) {
    if (address >= range.low && address < range.high) return true;
  }
  return false;
}

void note_instrumented_module(std::uint64_t address) {
  if (in_instrumented_module(address)) return;
  Range range{address, 0};
  if (::dl_iterate_phdr(find_module, &range) != 0) instrumented.push(range);
}

}  // namespace heddle::runtime
