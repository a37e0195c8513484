// Atomics of every size, every operation, with the right results.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

template <typename T>
void check() {
  std::atomic<T> value{static_cast<T>(5)};
  assert(value.load() == T(5));
  value.store(static_cast<T>(6));
  assert(value.exchange(static_cast<T>(7)) == T(6));
  assert(value.fetch_add(1) == T(7));
  assert(value.fetch_sub(2) == T(8));
  assert(value.fetch_and(static_cast<T>(0x0e)) == T(6));
  assert(value.fetch_or(static_cast<T>(0x11)) == T(6));
  assert(value.fetch_xor(static_cast<T>(0x01)) == T(0x17));
  T expected = 0;
  assert(!value.compare_exchange_strong(expected, static_cast<T>(1)));
  assert(expected == T(0x16));
  assert(value.compare_exchange_strong(expected, static_cast<T>(1)));
  while (!value.compare_exchange_weak(expected, static_cast<T>(2))) {
  }
  assert(value.load(std::memory_order_acquire) == T(2));
  auto add = [&] {
    for (int i = 0; i < 5; ++i) value.fetch_add(3, std::memory_order_relaxed);
  };
  std::thread a(add), b(add);
  a.join();
  b.join();
  assert(value == T(32));
}
int main() {
  check<std::uint8_t>();
  check<std::int16_t>();
  check<std::uint32_t>();
  check<std::int64_t>();
  std::atomic<bool> flag{false};
  assert(!flag.exchange(true) && flag);
  int array[3] = {};
  std::atomic<int*> pointer{array};
  assert(pointer.fetch_add(2) == array && pointer == array + 2);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  std::atomic_signal_fence(std::memory_order_acquire);
}
