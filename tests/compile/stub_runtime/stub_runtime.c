// For the tests of the compiler wrapper only: the hooks that instrumented code calls, doing
// nothing, and its atomics, doing what they say. This is not Heddle's runtime.
#include <stdbool.h>
#include <stdint.h>

#define HOOK(name) \
  void __tsan_##name(void* address) { (void)address; }
#define HOOKS(size)                   \
  HOOK(read##size)                    \
  HOOK(write##size)                   \
  HOOK(unaligned_read##size)          \
  HOOK(unaligned_write##size)         \
  HOOK(volatile_read##size)           \
  HOOK(volatile_write##size)          \
  HOOK(unaligned_volatile_read##size) \
  HOOK(unaligned_volatile_write##size)
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
HOOK(func_entry)
HOOK(vptr_read)

void __tsan_init(void) {}
void __tsan_func_exit(void) {}
void __tsan_vptr_update(void** address, void* value) { (void)address, (void)value; }
void __tsan_read_range(void* address, unsigned long size) { (void)address, (void)size; }
void __tsan_write_range(void* address, unsigned long size) { (void)address, (void)size; }

#define UPDATE(bits, name)                                                             \
  uint##bits##_t __tsan_atomic##bits##_fetch_##name(volatile uint##bits##_t* address,  \
                                                    uint##bits##_t value, int order) { \
    (void)order;                                                                       \
    return __atomic_fetch_##name(address, value, __ATOMIC_SEQ_CST);                    \
  }
#define COMPARE(bits, name)                                                                        \
  bool __tsan_atomic##bits##_compare_exchange_##name(                                              \
      volatile uint##bits##_t* address, uint##bits##_t* expected, uint##bits##_t value, int order, \
      int failure_order) {                                                                         \
    (void)order, (void)failure_order;                                                              \
    return __atomic_compare_exchange_n(address, expected, value, false, __ATOMIC_SEQ_CST,          \
                                       __ATOMIC_SEQ_CST);                                          \
  }
#define ATOMICS(bits)                                                                            \
  uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t* address, int order) { \
    (void)order;                                                                                 \
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);                                           \
  }                                                                                              \
  void __tsan_atomic##bits##_store(volatile uint##bits##_t* address, uint##bits##_t value,       \
                                   int order) {                                                  \
    (void)order;                                                                                 \
    __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                          \
  }                                                                                              \
  uint##bits##_t __tsan_atomic##bits##_exchange(volatile uint##bits##_t* address,                \
                                                uint##bits##_t value, int order) {               \
    (void)order;                                                                                 \
    return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);                                \
  }                                                                                              \
  UPDATE(bits, add)                                                                              \
  UPDATE(bits, sub)                                                                              \
  UPDATE(bits, and)                                                                              \
  UPDATE(bits, or)                                                                               \
  UPDATE(bits, xor)                                                                              \
  UPDATE(bits, nand)                                                                             \
  COMPARE(bits, strong)                                                                          \
  COMPARE(bits, weak)
ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)
void __tsan_atomic_thread_fence(int order) {
  (void)order;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int order) { (void)order; }
