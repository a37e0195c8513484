// memcpy and its like: one operation each, an access to each range. They are called by
// libraries that are not instrumented, too; then what they do is logged, but nobody else
// goes on in between. Where the program is explored, plain accesses are no steps, and all of
// these are looked at for races.
#include <cstring>

#include "runtime/exploration.h"
#include "runtime/interpose.h"

namespace heddle::runtime {

Thread* observed() {
  Thread* self = current_thread;
  return self != nullptr && self->inside == 0 ? self : nullptr;
}

void log_access(Thread& self, EventKind kind, const void* address, std::size_t size,
                std::uint64_t pc) {
  if (size == 0) return;
  if (exploring) explored_access(kind, address_of(address), size, pc);
  event_log.access(self, kind, address_of(address), static_cast<std::uint32_t>(size), pc);
}

namespace {

// Stands at the gate if the caller is instrumented; returns the site to log.
std::uint64_t enter(Thread& self, EventKind kind, const void* address, std::size_t size,
                    std::uint64_t caller) {
  if (!exploring && in_instrumented_module(caller)) {
    gate.pass_access(self, kind, address_of(address), static_cast<std::uint32_t>(size), caller);
  }
  event_log.settle();
  return instrumented_site(self, caller);
}

void* copy(void* to, const void* from, std::size_t size, std::uint64_t caller) {
  Thread* self = size > 0 ? observed() : nullptr;
  if (self != nullptr) {
    const std::uint64_t pc = enter(*self, EventKind::read, from, size, caller);
    log_access(*self, EventKind::read, from, size, pc);
    log_access(*self, EventKind::write, to, size, pc);
  }
  copy_bytes(to, from, size);
  return to;
}

void* fill(void* to, int byte, std::size_t size, std::uint64_t caller) {
  Thread* self = size > 0 ? observed() : nullptr;
  if (self != nullptr) {
    log_access(*self, EventKind::write, to, size, enter(*self, EventKind::write, to, size, caller));
  }
  fill_bytes(to, byte, size);
  return to;
}

std::size_t length_of(const char* text) {
  std::size_t length = 0;
  while (text[length] != 0) {
    ++length;
    asm volatile("" ::: "memory");  // or the loop would become a call of strlen
  }
  return length;
}

void log_text(const char* text, std::size_t size, std::uint64_t caller) {
  Thread* self = observed();
  if (self == nullptr) return;
  log_access(*self, EventKind::read, text, size, enter(*self, EventKind::read, text, size, caller));
}

}  // namespace
}  // namespace heddle::runtime

using namespace heddle::runtime;

INTERPOSE(void*, memcpy, void* to, const void* from, std::size_t size) {
  return copy(to, from, size, CALLER);
}
INTERPOSE(void*, memmove, void* to, const void* from, std::size_t size) {
  return copy(to, from, size, CALLER);
}
INTERPOSE(void*, memset, void* to, int byte, std::size_t size) {
  return fill(to, byte, size, CALLER);
}
INTERPOSE(void*, __memcpy_chk, void* to, const void* from, std::size_t size, std::size_t) {
  return copy(to, from, size, CALLER);
}
INTERPOSE(void*, __memmove_chk, void* to, const void* from, std::size_t size, std::size_t) {
  return copy(to, from, size, CALLER);
}
INTERPOSE(void*, __memset_chk, void* to, int byte, std::size_t size, std::size_t) {
  return fill(to, byte, size, CALLER);
}
INTERPOSE(void*, __tsan_memcpy, void* to, const void* from, std::size_t size) {
  return copy(to, from, size, CALLER);
}
INTERPOSE(void*, __tsan_memmove, void* to, const void* from, std::size_t size) {
  return copy(to, from, size, CALLER);
}
INTERPOSE(void*, __tsan_memset, void* to, int byte, std::size_t size) {
  return fill(to, byte, size, CALLER);
}

INTERPOSE(std::size_t, strlen, const char* text) {
  if (observed() == nullptr) return REAL(strlen)(text);
  const std::size_t length = length_of(text);
  if (in_instrumented_module(CALLER)) log_text(text, length + 1, CALLER);
  return length;
}

INTERPOSE(char*, strcpy, char* to, const char* from) {
  copy(to, from, length_of(from) + 1, CALLER);
  return to;
}

INTERPOSE(int, memcmp, const void* a, const void* b, std::size_t size) {
  if (size > 0 && observed() != nullptr && in_instrumented_module(CALLER)) {
    log_text(static_cast<const char*>(a), size, CALLER);
    log_text(static_cast<const char*>(b), size, CALLER);
  }
  return REAL(memcmp)(a, b, size);
}

INTERPOSE(int, strcmp, const char* a, const char* b) {
  if (observed() != nullptr && in_instrumented_module(CALLER)) {
    log_text(a, length_of(a) + 1, CALLER);
    log_text(b, length_of(b) + 1, CALLER);
  }
  return REAL(strcmp)(a, b);
}
