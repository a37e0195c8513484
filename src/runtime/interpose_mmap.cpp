// mmap: memory of the program's that is no heap. Where the kernel may choose the place, we do,
// so that it is the same in every run.
#include <sys/mman.h>

#include "runtime/interpose.h"
#include "runtime/waypoint.h"

namespace heddle::runtime {
namespace {

constexpr std::uint64_t kMappings = 0x3e00'0000'0000;
constexpr std::uint64_t kPage = 4096;

std::uint64_t next_mapping = kMappings;

// A place with a page of nothing behind it.
void* take_place(std::size_t size) {
  const std::uint64_t place = next_mapping;
  next_mapping += (size + 2 * kPage - 1) / kPage * kPage;
  return reinterpret_cast<void*>(place);
}

void note_mapping(const void* memory, std::size_t size, int flags) {
  forbid_waypoints();
  event_log.define_region(wire::RegionType::mapped, address_of(memory), address_of(memory) + size);
  if ((flags & (MAP_SHARED | MAP_SHARED_VALIDATE)) != 0 && (flags & MAP_PRIVATE) == 0) {
    event_log.unseen(wire::Unseen::shared_memory);
  }
}

}  // namespace
}  // namespace heddle::runtime

using namespace heddle::runtime;

#define MAPS(name)                                                                           \
  INTERPOSE(void*, name, void* wanted, std::size_t size, int protection, int flags,          \
            int descriptor, long offset) {                                                   \
    AT_GATE_OR(REAL(name)(wanted, size, protection, flags, descriptor, offset));             \
    if (wanted == nullptr && (flags & MAP_32BIT) == 0) wanted = take_place(size);            \
    void* memory = REAL(name)(wanted, size, protection, flags, descriptor, offset);          \
    call.saved_errno = errno;                                                                \
    if (memory != MAP_FAILED && (flags & MAP_FIXED) == 0) note_mapping(memory, size, flags); \
    return memory;                                                                           \
  }

MAPS(mmap)
MAPS(mmap64)
