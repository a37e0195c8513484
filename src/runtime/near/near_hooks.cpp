// Hooks that are linked into the program itself, next to the code that calls them.
//
// They do what most calls come to, private accesses and the call stack, and leave everything else
// to the runtime's hooks. A module that is linked without them works the same, and slower.
#include "runtime/hot_words.h"
#include "runtime/shadow_stack.h"

#define NEAR_HOOK extern "C" __attribute__((visibility("hidden"), used))

using heddle::runtime::current_stack;
using heddle::runtime::has_atomic_functions;
using heddle::runtime::hot_words;
using heddle::runtime::is_left_out;

extern "C" {
void __tsan_heddle_entered_1(std::uint64_t entry);
void __tsan_heddle_leaves_1(std::uint64_t entry);
}

#define CALLER_POINTER __builtin_return_address(0)

#define NEAR_HOOKS(prefix, size)                                       \
  NEAR_HOOK void __tsan_##prefix##read##size(void* p) {                \
    if (is_left_out(reinterpret_cast<std::uint64_t>(p), size)) return; \
    __tsan_read##size##_pc(p, CALLER_POINTER);                         \
  }                                                                    \
  NEAR_HOOK void __tsan_##prefix##write##size(void* p) {               \
    hot_words.last_write_pc = CALLER;                                  \
    if (is_left_out(reinterpret_cast<std::uint64_t>(p), size)) return; \
    __tsan_write##size##_pc(p, CALLER_POINTER);                        \
  }
#define NEAR_HOOKS_OF_SIZE(size)                         \
  extern "C" void __tsan_read##size##_pc(void*, void*);  \
  extern "C" void __tsan_write##size##_pc(void*, void*); \
  NEAR_HOOKS(, size)                                     \
  NEAR_HOOKS(volatile_, size)                            \
  NEAR_HOOKS(unaligned_, size)                           \
  NEAR_HOOKS(unaligned_volatile_, size)

NEAR_HOOKS_OF_SIZE(1)
NEAR_HOOKS_OF_SIZE(2)
NEAR_HOOKS_OF_SIZE(4)
NEAR_HOOKS_OF_SIZE(8)
NEAR_HOOKS_OF_SIZE(16)

NEAR_HOOK void __tsan_func_entry(void* call_site) {
  heddle::runtime::ShadowStack* const stack = current_stack;
  if (stack == nullptr) return;
  const auto* const machine_stack = static_cast<std::uint64_t*>(__builtin_frame_address(0));
  stack->push(reinterpret_cast<std::uint64_t>(call_site), CALLER,
              reinterpret_cast<std::uint64_t>(machine_stack), *machine_stack);
  if (has_atomic_functions) [[unlikely]]
    __tsan_heddle_entered_1(CALLER);
}

NEAR_HOOK void __tsan_func_exit() {
  heddle::runtime::ShadowStack* const stack = current_stack;
  if (stack == nullptr) return;
  if (has_atomic_functions) [[unlikely]]
    __tsan_heddle_leaves_1(CALLER);
  stack->pop();
}
