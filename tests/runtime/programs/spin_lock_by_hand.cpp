#include <atomic>
#include <cassert>
#include <thread>

std::atomic_flag locked = ATOMIC_FLAG_INIT;
int counter;
void body() {
  for (int i = 0; i < 10; ++i) {
    while (locked.test_and_set(std::memory_order_acquire)) {
    }
    ++counter;
    locked.clear(std::memory_order_release);
  }
}
int main() {
  std::thread a(body), b(body);
  a.join();
  b.join();
  assert(counter == 20);
}
