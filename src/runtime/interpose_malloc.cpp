// malloc and its family, operator new and delete. Never a scheduling point: libc allocates
// while it holds locks of its own.
//
// Without the gate, and inside libc's own work, libc's allocator does it; which block is
// whose is told by its address.
#include <cerrno>
#include <cstdlib>

#include <malloc.h>

#include "runtime/allocator.h"
#include "runtime/exploration.h"
#include "runtime/interpose.h"
#include "runtime/parked_threads.h"
#include "runtime/stop_point.h"

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
}

namespace heddle::runtime {
namespace {

// Memory that outlives the execution of a search: libc's own, for a thread that it makes.
void* allocate_kept(std::size_t size) {
  auto* block = static_cast<std::uint64_t*>(map_kept_pages(size + 16));
  block[0] = size;
  return block + 2;
}

// The thread whose arena to use; null for libc's heap.
Thread* allocating_thread() {
  Thread* self = current_thread;
  return self != nullptr && self->inside == 0 ? self : nullptr;
}

void* allocate_for(Thread& self, std::size_t size, std::size_t alignment, std::uint64_t caller) {
  event_log.settle();
  stop_if_reached(caller);
  void* block = allocate(self, size, alignment);
  if (block == nullptr) {
    errno = ENOMEM;
    return nullptr;
  }
  event_log.heap(self, EventKind::alloc, address_of(block), size, instrumented_site(self, caller));
  return block;
}

void* allocate_zeroed(Thread& self, std::size_t size, std::uint64_t caller) {
  void* block = allocate_for(self, size, 16, caller);
  if (block != nullptr) fill_bytes(block, 0, size);
  return block;
}

[[noreturn]] void refuse_free(std::uint64_t caller) {
  if (exploring) {
    fail_explored(explored::Wrong::memory, "a block is freed twice, or was never allocated",
                  caller);
  }
  say("the program frees memory twice, or memory that was never allocated");
  std::abort();
}

void free_block(void* block, std::uint64_t caller) {
  if (block == nullptr) return;
  if (!in_arena(block)) return __libc_free(block);
  Thread* self = current_thread;
  if (self == nullptr) return;  // too late to tell anybody, and it must not be used again
  event_log.settle();
  stop_if_reached(caller);
  if (!is_allocated(block)) refuse_free(caller);
  event_log.heap(*self, EventKind::free, address_of(block), size_of_block(block),
                 instrumented_site(*self, caller));
  forget_objects_in(address_of(block), size_of_block(block));
  release(*self, block);
}

void* reallocate(void* block, std::size_t size, std::uint64_t caller) {
  Thread* self = allocating_thread();
  if (self == nullptr && (block == nullptr || !in_arena(block))) {
    return __libc_realloc(block, size);
  }
  if (block != nullptr && !in_arena(block)) return __libc_realloc(block, size);
  void* moved = self != nullptr ? allocate_for(*self, size, 16, caller) : __libc_malloc(size);
  if (block == nullptr || moved == nullptr) return moved;
  const std::size_t old_size = size_of_block(block);
  copy_bytes(moved, block, old_size < size ? old_size : size);
  free_block(block, caller);
  return moved;
}

void* allocate_aligned(std::size_t alignment, std::size_t size, std::uint64_t caller) {
  Thread* self = allocating_thread();
  if (self == nullptr) return __libc_memalign(alignment, size);
  return allocate_for(*self, size, alignment < 16 ? 16 : alignment, caller);
}

}  // namespace

void free_block_from(void* block, std::uint64_t caller) { free_block(block, caller); }

}  // namespace heddle::runtime

using namespace heddle::runtime;

INTERPOSE(void*, malloc, std::size_t size) {
  if (makes_parked_thread) return allocate_kept(size);
  Thread* self = allocating_thread();
  return self == nullptr ? __libc_malloc(size) : allocate_for(*self, size, 16, CALLER);
}

INTERPOSE(void*, calloc, std::size_t count, std::size_t size) {
  if (makes_parked_thread) return allocate_kept(count * size);
  Thread* self = allocating_thread();
  if (self == nullptr) return __libc_calloc(count, size);
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return allocate_zeroed(*self, bytes, CALLER);
}

INTERPOSE(void*, realloc, void* block, std::size_t size) { return reallocate(block, size, CALLER); }

INTERPOSE(void*, reallocarray, void* block, std::size_t count, std::size_t size) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return reallocate(block, bytes, CALLER);
}

INTERPOSE(void, free, void* block) { free_block(block, CALLER); }

INTERPOSE(void*, memalign, std::size_t alignment, std::size_t size) {
  return allocate_aligned(alignment, size, CALLER);
}
INTERPOSE(void*, aligned_alloc, std::size_t alignment, std::size_t size) {
  return allocate_aligned(alignment, size, CALLER);
}
INTERPOSE(void*, valloc, std::size_t size) { return allocate_aligned(4096, size, CALLER); }
INTERPOSE(void*, pvalloc, std::size_t size) {
  return allocate_aligned(4096, (size + 4095) & ~std::size_t{4095}, CALLER);
}
INTERPOSE(int, posix_memalign, void** result, std::size_t alignment, std::size_t size) {
  if (alignment < sizeof(void*) || (alignment & (alignment - 1)) != 0) return EINVAL;
  void* block = allocate_aligned(alignment, size, CALLER);
  if (block == nullptr) return ENOMEM;
  *result = block;
  return 0;
}
INTERPOSE(std::size_t, malloc_usable_size, void* block) {
  if (block != nullptr && in_arena(block)) return size_of_block(block);
  return REAL(malloc_usable_size)(block);
}
