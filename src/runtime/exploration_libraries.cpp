// Which objects belong to libraries that are not instrumented.
#include <link.h>

#include "runtime/exploration_state.h"
#include "runtime/object.h"

namespace heddle::runtime::exploration {
namespace {

constexpr std::uint32_t kMostLibraries = 128;
KEPT MemoryRange libraries[kMostLibraries];
KEPT std::uint32_t library_count;

int note_library(dl_phdr_info* info, std::size_t, void*) {
  std::uint64_t low = ~std::uint64_t{0};
  std::uint64_t high = 0;
  bool instrumented = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const std::uint64_t start = info->dlpi_addr + segment.p_vaddr;
    low = start < low ? start : low;
    high = start + segment.p_memsz > high ? start + segment.p_memsz : high;
    instrumented = instrumented || in_instrumented_module(start);
  }
  if (!instrumented && high > low && library_count < kMostLibraries) {
    libraries[library_count++] = {low, high};
  }
  return 0;
}

}  // namespace

void find_uninstrumented_libraries() { ::dl_iterate_phdr(note_library, nullptr); }

bool is_internal(const Operation& operation) {
  if (operation.object == nullptr) return false;
  for (std::uint32_t i = 0; i < library_count; ++i) {
    if (operation.object->address - libraries[i].low < libraries[i].high - libraries[i].low) {
      return true;
    }
  }
  return false;
}

}  // namespace heddle::runtime::exploration
