// The hooks of plain accesses and of function entry and exit, as GCC and Clang emit them
// under -fsanitize=thread. Each runs before the access that it announces.
#include "runtime/atomic_functions.h"
#include "runtime/exploration.h"
#include "runtime/gate.h"
#include "runtime/process.h"
#include "runtime/struct_copy.h"

namespace heddle::runtime {
namespace {

[[gnu::noinline, gnu::hot]] void pass_and_log(EventKind kind, std::uint64_t place, std::size_t size,
                                              std::uint64_t pc) {
  Thread* self = current_thread;
  if (self == nullptr || size == 0) return;
  const auto bytes = static_cast<std::uint32_t>(size);
  if (event_log.continue_row(*self, kind, place, bytes, pc)) return;
  if (exploring && !event_log.emits()) return explored_access(kind, place, size, pc);
  if (kind == EventKind::read && is_struct_copy(hot_words.last_write_pc, pc)) {
    return event_log.read_of_copy(*self, place, bytes, pc);
  }
  if (event_log.access_in_quantum(*self, kind, place, bytes, pc)) return;
  gate.pass_access(*self, kind, place, bytes, pc);
  event_log.access(*self, kind, place, bytes, pc);
}

[[gnu::always_inline]] inline void access(EventKind kind, void* address, std::size_t size,
                                          std::uint64_t pc) {
  const auto place = reinterpret_cast<std::uint64_t>(address);
  if (kind == EventKind::write) hot_words.last_write_pc = pc;
  if (!is_left_out(place, size)) pass_and_log(kind, place, size, pc);
}

void read_and_write(void* address, std::size_t size, std::uint64_t pc) {
  access(EventKind::read, address, size, pc);
  access(EventKind::write, address, size, pc);
}

}  // namespace
}  // namespace heddle::runtime

using heddle::EventKind;
using heddle::runtime::access;
using heddle::runtime::current_thread;
using heddle::runtime::hot_words;
using heddle::runtime::pass_and_log;
using heddle::runtime::read_and_write;

#define ACCESS_HOOKS(prefix, size)                           \
  HEDDLE_EXPORT void __tsan_##prefix##read##size(void* p) {  \
    access(EventKind::read, p, size, CALLER);                \
  }                                                          \
  HEDDLE_EXPORT void __tsan_##prefix##write##size(void* p) { \
    access(EventKind::write, p, size, CALLER);               \
  }
// The hooks with a place are those near the program, which found that the access is not left out.
#define ACCESS_HOOKS_OF_SIZE(size)                                                         \
  ACCESS_HOOKS(, size)                                                                     \
  ACCESS_HOOKS(volatile_, size)                                                            \
  ACCESS_HOOKS(unaligned_, size)                                                           \
  ACCESS_HOOKS(unaligned_volatile_, size)                                                  \
  HEDDLE_EXPORT void __tsan_read_write##size(void* p) { read_and_write(p, size, CALLER); } \
  HEDDLE_EXPORT void __tsan_unaligned_read_write##size(void* p) {                          \
    read_and_write(p, size, CALLER);                                                       \
  }                                                                                        \
  HEDDLE_EXPORT void __tsan_read##size##_pc(void* p, void* pc) {                           \
    pass_and_log(EventKind::read, reinterpret_cast<std::uint64_t>(p), size,                \
                 reinterpret_cast<std::uint64_t>(pc));                                     \
  }                                                                                        \
  HEDDLE_EXPORT void __tsan_write##size##_pc(void* p, void* pc) {                          \
    pass_and_log(EventKind::write, reinterpret_cast<std::uint64_t>(p), size,               \
                 reinterpret_cast<std::uint64_t>(pc));                                     \
  }

ACCESS_HOOKS_OF_SIZE(1)
ACCESS_HOOKS_OF_SIZE(2)
ACCESS_HOOKS_OF_SIZE(4)
ACCESS_HOOKS_OF_SIZE(8)
ACCESS_HOOKS_OF_SIZE(16)

HEDDLE_EXPORT void __tsan_read_range(void* p, unsigned long size) {
  pass_and_log(EventKind::read, reinterpret_cast<std::uint64_t>(p), size, CALLER);
}
HEDDLE_EXPORT void __tsan_write_range(void* p, unsigned long size) {
  hot_words.last_write_pc = CALLER;
  pass_and_log(EventKind::write, reinterpret_cast<std::uint64_t>(p), size, CALLER);
}

// Constructors and destructors store the same pointer again and again; that is no event.
HEDDLE_EXPORT void __tsan_vptr_update(void** pointer, void* value) {
  if (*pointer != value) access(EventKind::write, pointer, sizeof(void*), CALLER);
}
HEDDLE_EXPORT void __tsan_vptr_read(void** pointer) {
  access(EventKind::read, pointer, sizeof(void*), CALLER);
}

// For the hooks that are near the program, too (near/near_hooks.cpp).
HEDDLE_EXPORT void __tsan_heddle_entered_1(std::uint64_t entry) {
  if (!heddle::runtime::is_atomic_function(entry)) return;
  heddle::runtime::enter_atomic_section(*current_thread, entry);
}
HEDDLE_EXPORT void __tsan_heddle_leaves_1(std::uint64_t entry) {
  if (!heddle::runtime::is_atomic_function(entry)) return;
  heddle::runtime::leave_atomic_section(*current_thread, entry);
}

HEDDLE_EXPORT void __tsan_func_entry(void* call_site) {
  if (current_thread == nullptr) return;
  const auto* const machine_stack = static_cast<std::uint64_t*>(__builtin_frame_address(0));
  current_thread->stack.push(reinterpret_cast<std::uint64_t>(call_site), CALLER,
                             reinterpret_cast<std::uint64_t>(machine_stack), *machine_stack);
  if (heddle::runtime::has_atomic_functions) __tsan_heddle_entered_1(CALLER);
}
HEDDLE_EXPORT void __tsan_func_exit() {
  if (current_thread == nullptr) return;
  if (heddle::runtime::has_atomic_functions) __tsan_heddle_leaves_1(CALLER);
  current_thread->stack.pop();
}

// Every instrumented file calls this from a constructor of its module.
// Called before the initialisers of each instrumented module, those of dlopen included.
HEDDLE_EXPORT void __tsan_init() {
  if (current_thread == nullptr) return;
  heddle::runtime::note_instrumented_module(CALLER);
  heddle::runtime::define_new_modules();
}
