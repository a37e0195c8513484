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
Cached cache[256];

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
  Cached& entry = cache[(call_site ^ caller * 31) & 255];
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

// Looks for a return address into the function on top of the shadow stack, from the
// machine stack's end up to that function's frame.
std::uint64_t scan_for_site(const Frame& frame, std::uint64_t from) {
  constexpr std::uint64_t kFunctionBytes = 1 << 16;
  for (std::uint64_t at = from; at + 8 <= frame.machine_stack && at < from + 8192; at += 8) {
    const std::uint64_t word = *reinterpret_cast<const std::uint64_t*>(at);
    if (word > frame.entry && word < frame.entry + kFunctionBytes) return word;
  }
  return frame.entry;
}

}  // namespace

void ShadowStack::push(std::uint64_t call_site, std::uint64_t entry, std::uint64_t machine_stack) {
  while (depth_ > 0 && frames_[depth_ - 1].machine_stack <= machine_stack) --depth_;
  if (depth_ == kMaxDepth) return;
  frames_[depth_] = {machine_stack, entry, cached_node(node(), call_site), 0};
  ++depth_;
}

std::uint64_t instrumented_site(Thread& thread, std::uint64_t caller) {
  const Frame* frame = thread.stack.top();
  if (frame == nullptr || in_instrumented_module(caller)) return caller;
  return scan_for_site(*frame, reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)));
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
