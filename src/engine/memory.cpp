// The engine's memory. It is not the program's: what the engine allocates must neither be seen
// by the program nor be put back when an execution starts anew.
//
// Blocks of powers of two, in lists by size; large ones come from the kernel and go back to it.
// Everything runs on one thread.
#include <cstddef>
#include <cstdint>
#include <new>

#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/futex.h"

namespace {

using heddle::runtime::system_call;

constexpr std::size_t kChunk = std::size_t{1} << 20;
constexpr unsigned kLargestClass = 18;  // 256 KiB

struct Free {
  Free* next;
};
struct Header {
  std::uint64_t size_class;  // kLargestClass + 1: mapped
  std::uint64_t size;
};
static_assert(sizeof(Header) == 16);

Free* free_blocks[kLargestClass + 1];
char* chunk;
std::size_t chunk_left;

char* map(std::size_t size) {
  const long pages = system_call(SYS_mmap, 0, static_cast<long>(size), PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages < 0 && pages > -4096) {
    constexpr char kMessage[] = "heddle: out of memory for the search\n";
    system_call(SYS_write, 2, reinterpret_cast<long>(kMessage), sizeof kMessage - 1);
    system_call(SYS_exit_group, 125);
  }
  return reinterpret_cast<char*>(pages);
}

unsigned class_of(std::size_t size) {
  unsigned result = 5;
  while ((std::size_t{1} << result) < size) ++result;
  return result;
}

void* allocate(std::size_t size) {
  const std::size_t whole = size + sizeof(Header);
  if (whole > std::size_t{1} << kLargestClass) {
    auto* header = reinterpret_cast<Header*>(map(whole));
    *header = {kLargestClass + 1, whole};
    return header + 1;
  }
  const unsigned size_class = class_of(whole);
  Header* header = nullptr;
  if (Free* block = free_blocks[size_class]) {
    free_blocks[size_class] = block->next;
    header = reinterpret_cast<Header*>(block) - 1;
  } else {
    const std::size_t bytes = std::size_t{1} << size_class;
    if (bytes > chunk_left) {
      chunk = map(kChunk);
      chunk_left = kChunk;
    }
    header = reinterpret_cast<Header*>(chunk);
    chunk += bytes;
    chunk_left -= bytes;
  }
  *header = {size_class, size};
  return header + 1;
}

void release(void* block) {
  if (block == nullptr) return;
  Header* header = static_cast<Header*>(block) - 1;
  if (header->size_class > kLargestClass) {
    system_call(SYS_munmap, reinterpret_cast<long>(header), static_cast<long>(header->size));
    return;
  }
  auto* freed = static_cast<Free*>(block);
  freed->next = free_blocks[header->size_class];
  free_blocks[header->size_class] = freed;
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void operator delete(void* block) noexcept { release(block); }
void operator delete[](void* block) noexcept { release(block); }
void operator delete(void* block, std::size_t) noexcept { release(block); }
void operator delete[](void* block, std::size_t) noexcept { release(block); }

// Nothing of the engine needs more than 16 bytes of alignment.
void* operator new(std::size_t size, std::align_val_t) { return allocate(size); }
void* operator new[](std::size_t size, std::align_val_t) { return allocate(size); }
void operator delete(void* block, std::align_val_t) noexcept { release(block); }
void operator delete[](void* block, std::align_val_t) noexcept { release(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { release(block); }
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept { release(block); }

// The C++ library's own needs: exceptions.
extern "C" {
void* malloc(std::size_t size) { return allocate(size); }
void free(void* block) { release(block); }
void* calloc(std::size_t count, std::size_t size) {
  auto* block = static_cast<char*>(allocate(count * size));
  for (std::size_t i = 0; i < count * size; ++i) {
    block[i] = 0;
    asm volatile("" ::: "memory");
  }
  return block;
}
void* realloc(void* block, std::size_t size) {
  auto* moved = static_cast<char*>(allocate(size));
  if (block == nullptr) return moved;
  const Header* header = static_cast<Header*>(block) - 1;
  for (std::size_t i = 0; i < header->size && i < size; ++i)
    moved[i] = static_cast<char*>(block)[i];
  release(block);
  return moved;
}
}
