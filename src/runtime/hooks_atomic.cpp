// The hooks of atomic operations. The runtime carries them out, so their values are exact.
//
// All are carried out as sequentially consistent: under the gate nothing else can happen,
// and a program that runs by itself may only get more order than it asked for. Sixteen
// bytes are done by compare-and-swap, which is an instruction; the rest would be a call
// into a library.
#include "runtime/gate.h"

namespace heddle::runtime {
namespace {

using Wide = __int128;

template <typename T>
T load_now(const volatile T* p) {
  if constexpr (sizeof(T) == 16) {
    return __sync_val_compare_and_swap(const_cast<volatile T*>(p), 0, 0);
  } else {
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);
  }
}

// Stores `expected ? desired : unchanged` and gives back what was there.
template <typename T>
T swap_if(volatile T* p, T expected, T desired) {
  return __sync_val_compare_and_swap(p, expected, desired);
}

template <typename T, typename Change>
T change_now(volatile T* p, Change change) {
  T old = load_now(p);
  for (;;) {
    const T seen = swap_if(p, old, change(old));
    if (seen == old) return old;
    old = seen;
  }
}

template <typename T>
std::uint64_t word(T value) {
  return static_cast<std::uint64_t>(value);
}

template <typename T>
std::uint64_t place(const volatile T* p) {
  return reinterpret_cast<std::uint64_t>(p);
}

// While it lives, it is known where the thread's own frames end. Right below its return address are
// then all registers that functions keep for their callers: with all above, that is what the
// program's functions go on with, and nothing else (exploration_view.cpp).
class FrameOfProgram {
 public:
  FrameOfProgram(Thread& thread, void* call_frame) : thread_(thread) {
    thread_.program_frame = reinterpret_cast<std::uint64_t>(call_frame);
  }
  ~FrameOfProgram() { thread_.program_frame = 0; }
  FrameOfProgram(const FrameOfProgram&) = delete;
  FrameOfProgram& operator=(const FrameOfProgram&) = delete;

 private:
  Thread& thread_;
};

// In a function that hooks end with, so that its frame is in the place of the hook's.
#define KNOW_FRAME_OF_PROGRAM(thread) \
  __builtin_unwind_init();            \
  const FrameOfProgram frame(thread, __builtin_dwarf_cfa())

template <typename T>
T load_and_log(Thread& self, const volatile T* p, int order, std::uint64_t pc) {
  const T value = load_now(p);
  event_log.atomic(self, EventKind::atomic_read, place(p), sizeof(T), pc, order, word(value));
  return value;
}

template <typename T>
[[gnu::noinline]] T load_after_asking(const volatile T* p, int order, std::uint64_t pc) {
  Thread& self = *current_thread;
  KNOW_FRAME_OF_PROGRAM(self);
  gate.pass_access(self, EventKind::atomic_read, place(p), sizeof(T), pc);
  return load_and_log(self, p, order, pc);
}

template <typename T>
T load(const volatile T* p, int order, std::uint64_t pc) {
  Thread* self = current_thread;
  if (self == nullptr) return load_now(p);
  if (gate.asks_before_access()) [[unlikely]]
    return load_after_asking(p, order, pc);
  return load_and_log(*self, p, order, pc);
}

template <typename T>
void store(volatile T* p, T value, int order, std::uint64_t pc) {
  Thread* self = current_thread;
  const auto replace = [=](T) { return value; };
  if (self == nullptr) {
    change_now(p, replace);
    return;
  }
  gate.pass_access(*self, EventKind::atomic_write, place(p), sizeof(T), pc);
  event_log.settle();
  change_now(p, replace);
  event_log.atomic(*self, EventKind::atomic_write, place(p), sizeof(T), pc, order, word(value));
}

template <typename T, typename Change>
T change(volatile T* p, int order, std::uint64_t pc, Change how) {
  Thread* self = current_thread;
  if (self == nullptr) return change_now(p, how);
  gate.pass_access(*self, EventKind::atomic_rmw, place(p), sizeof(T), pc);
  event_log.settle();
  const T old = change_now(p, how);
  event_log.atomic(*self, EventKind::atomic_rmw, place(p), sizeof(T), pc, order, word(how(old)),
                   word(old));
  return old;
}

using Condition = Thread::Condition;

// While it lives, it is known when the next access changes memory.
class Comparison {
 public:
  template <typename T>
  Comparison(Thread& thread, Condition condition, T expected) : thread_(thread) {
    thread_.changes_if = sizeof(T) <= 8 ? condition : Condition::none;
    thread_.expected = word(expected);
  }
  ~Comparison() { thread_.changes_if = Condition::none; }
  Comparison(const Comparison&) = delete;
  Comparison& operator=(const Comparison&) = delete;

 private:
  Thread& thread_;
};

template <typename T>
T compare_and_log(Thread& self, volatile T* p, T expected, T desired, int order, int failure_order,
                  std::uint64_t pc) {
  const Comparison comparison(self, Condition::equal, expected);
  gate.pass_access(self, EventKind::atomic_rmw, place(p), sizeof(T), pc);
  event_log.settle();
  const T old = swap_if(p, expected, desired);
  if (old == expected) {
    event_log.atomic(self, EventKind::atomic_rmw, place(p), sizeof(T), pc, order, word(desired),
                     word(old));
  } else {
    event_log.atomic(self, EventKind::atomic_read, place(p), sizeof(T), pc, failure_order,
                     word(old));
  }
  return old;
}

// What was there; it was replaced if that is what was expected.
template <typename T>
[[gnu::noinline]] T compare_exchange(volatile T* p, T expected, T desired, int order,
                                     int failure_order, std::uint64_t pc) {
  Thread* self = current_thread;
  if (self == nullptr) return swap_if(p, expected, desired);
  KNOW_FRAME_OF_PROGRAM(*self);
  return compare_and_log(*self, p, expected, desired, order, failure_order, pc);
}

template <typename T>
[[gnu::noinline]] int compare_exchange_in_place(volatile T* p, T* expected, T desired, int order,
                                                int failure_order, std::uint64_t pc) {
  Thread* self = current_thread;
  const T wanted = *expected;
  T old = 0;
  if (self == nullptr) {
    old = swap_if(p, wanted, desired);
  } else {
    KNOW_FRAME_OF_PROGRAM(*self);
    old = compare_and_log(*self, p, wanted, desired, order, failure_order, pc);
  }
  if (old == wanted) return 1;
  *expected = old;
  return 0;
}

template <typename T>
[[gnu::noinline]] T exchange(volatile T* p, T value, int order, std::uint64_t pc) {
  const auto replace = [=](T) { return value; };
  Thread* self = current_thread;
  if (self == nullptr) return change_now(p, replace);
  KNOW_FRAME_OF_PROGRAM(*self);
  const Comparison comparison(*self, Condition::different, value);
  return change(p, order, pc, replace);
}

}  // namespace
}  // namespace heddle::runtime

namespace runtime = heddle::runtime;
using runtime::Wide;

#define CHANGE_HOOK(bits, type, name, expression)                                        \
  HEDDLE_EXPORT type __tsan_atomic##bits##_##name(volatile type* p, type v, int order) { \
    return runtime::change(p, order, CALLER, [v](type old) {                             \
      (void)old;                                                                         \
      return static_cast<type>(expression);                                              \
    });                                                                                  \
  }
#define ATOMIC_HOOKS(bits, type)                                                                   \
  HEDDLE_EXPORT type __tsan_atomic##bits##_load(const volatile type* p, int order) {               \
    return runtime::load(p, order, CALLER);                                                        \
  }                                                                                                \
  HEDDLE_EXPORT void __tsan_atomic##bits##_store(volatile type* p, type v, int order) {            \
    runtime::store(p, v, order, CALLER);                                                           \
  }                                                                                                \
  HEDDLE_EXPORT type __tsan_atomic##bits##_exchange(volatile type* p, type v, int order) {         \
    return runtime::exchange(p, v, order, CALLER);                                                 \
  }                                                                                                \
  CHANGE_HOOK(bits, type, fetch_add, old + v)                                                      \
  CHANGE_HOOK(bits, type, fetch_sub, old - v)                                                      \
  CHANGE_HOOK(bits, type, fetch_and, old& v)                                                       \
  CHANGE_HOOK(bits, type, fetch_or, old | v)                                                       \
  CHANGE_HOOK(bits, type, fetch_xor, old ^ v)                                                      \
  CHANGE_HOOK(bits, type, fetch_nand, ~(old & v))                                                  \
  HEDDLE_EXPORT int __tsan_atomic##bits##_compare_exchange_strong(                                 \
      volatile type* p, type* expected, type desired, int order, int failure_order) {              \
    return runtime::compare_exchange_in_place(p, expected, desired, order, failure_order, CALLER); \
  }                                                                                                \
  HEDDLE_EXPORT int __tsan_atomic##bits##_compare_exchange_weak(                                   \
      volatile type* p, type* expected, type desired, int order, int failure_order) {              \
    return runtime::compare_exchange_in_place(p, expected, desired, order, failure_order, CALLER); \
  }                                                                                                \
  HEDDLE_EXPORT type __tsan_atomic##bits##_compare_exchange_val(                                   \
      volatile type* p, type expected, type desired, int order, int failure_order) {               \
    return runtime::compare_exchange(p, expected, desired, order, failure_order, CALLER);          \
  }

ATOMIC_HOOKS(8, std::uint8_t)
ATOMIC_HOOKS(16, std::uint16_t)
ATOMIC_HOOKS(32, std::uint32_t)
ATOMIC_HOOKS(64, std::uint64_t)
ATOMIC_HOOKS(128, Wide)

HEDDLE_EXPORT void __tsan_atomic_thread_fence(int order) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (runtime::current_thread == nullptr) return;
  runtime::gate.pass_access(*runtime::current_thread, heddle::EventKind::fence, 0, 0, CALLER);
  runtime::event_log.fence(*runtime::current_thread, CALLER, order);
}
HEDDLE_EXPORT void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
