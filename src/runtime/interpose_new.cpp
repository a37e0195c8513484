// operator new and delete, so that an allocation's site is in the program. When there is no
// memory, the C++ library's own operator is called, and throws; a program that has that library
// in it (-static-libstdc++) has no such operator.
#include <cstddef>

#include "runtime/allocator.h"
#include "runtime/interpose.h"
#include "runtime/stop_point.h"

extern "C" void* __libc_malloc(std::size_t);
extern "C" void* __libc_memalign(std::size_t, std::size_t);

namespace heddle::runtime {

using New = void* (*)(std::size_t);
using AlignedNew = void* (*)(std::size_t, std::size_t);

namespace {

void* allocate_at(Thread& self, std::size_t size, std::size_t alignment, std::uint64_t caller) {
  event_log.settle();
  stop_if_reached(caller);
  void* block = allocate(self, size, alignment);
  if (block != nullptr) {
    event_log.heap(self, EventKind::alloc, address_of(block), size,
                   instrumented_site(self, caller));
  }
  return block;
}

Thread* allocating_thread() {
  Thread* self = current_thread;
  return self != nullptr && self->inside == 0 ? self : nullptr;
}

void* new_object(const char* real_name, std::size_t size, std::uint64_t caller) {
  if (Thread* self = allocating_thread()) {
    if (void* block = allocate_at(*self, size, 16, caller)) return block;
  } else if (void* block = __libc_malloc(size)) {
    return block;
  }
  return reinterpret_cast<New>(find_real(real_name))(size);
}

void* new_or_null(std::size_t size, std::uint64_t caller) {
  Thread* self = allocating_thread();
  return self != nullptr ? allocate_at(*self, size, 16, caller) : __libc_malloc(size);
}

void* new_aligned_object(const char* real_name, std::size_t size, std::size_t alignment,
                         std::uint64_t caller) {
  if (Thread* self = allocating_thread()) {
    const std::size_t at_least = alignment < 16 ? 16 : alignment;
    if (void* block = allocate_at(*self, size, at_least, caller)) return block;
  } else if (void* block = __libc_memalign(alignment, size)) {
    return block;
  }
  return reinterpret_cast<AlignedNew>(find_real(real_name))(size, alignment);
}

}  // namespace

void free_block_from(void* block, std::uint64_t caller);

}  // namespace heddle::runtime

using namespace heddle::runtime;

#define NEW(name)                                                                        \
  HEDDLE_EXPORT void* name(std::size_t size) { return new_object(#name, size, CALLER); } \
  HEDDLE_EXPORT void* name##RKSt9nothrow_t(std::size_t size, const void*) {              \
    return new_or_null(size, CALLER);                                                    \
  }
#define NEW_ALIGNED(name)                                             \
  HEDDLE_EXPORT void* name(std::size_t size, std::size_t alignment) { \
    return new_aligned_object(#name, size, alignment, CALLER);        \
  }
#define DELETE(name, ...) \
  HEDDLE_EXPORT void name(void* block, ##__VA_ARGS__) { free_block_from(block, CALLER); }

NEW(_Znwm)
NEW(_Znam)
NEW_ALIGNED(_ZnwmSt11align_val_t)
NEW_ALIGNED(_ZnamSt11align_val_t)
DELETE(_ZdlPv)
DELETE(_ZdaPv)
DELETE(_ZdlPvm, std::size_t)
DELETE(_ZdaPvm, std::size_t)
DELETE(_ZdlPvSt11align_val_t, std::size_t)
DELETE(_ZdaPvSt11align_val_t, std::size_t)
DELETE(_ZdlPvmSt11align_val_t, std::size_t, std::size_t)
DELETE(_ZdaPvmSt11align_val_t, std::size_t, std::size_t)
DELETE(_ZdlPvRKSt9nothrow_t, const void*)
DELETE(_ZdaPvRKSt9nothrow_t, const void*)
