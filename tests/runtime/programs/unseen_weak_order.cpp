// Atomic operations whose order is weaker than sequential consistency.
#include <atomic>

std::atomic<int> value{1};

int main() {
  value.store(2, std::memory_order_release);
  return value.load(std::memory_order_relaxed) == 2 ? 0 : 1;
}
