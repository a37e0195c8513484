// A ring of three threads and three locks, on the heap.
#include <array>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Table {
  std::array<std::mutex, 3> forks;
  std::array<int, 3> meals{};
};

int main() {
  const auto table = std::make_unique<Table>();
  std::vector<std::thread> philosophers;
  for (int i = 0; i < 3; ++i) {
    philosophers.emplace_back([&table, i] {
      const std::lock_guard left(table->forks[i]);
      const std::lock_guard right(table->forks[(i + 1) % 3]);
      ++table->meals[i];
    });
  }
  for (std::thread& philosopher : philosophers) philosopher.join();
  return table->meals[0] == 1 ? 0 : 1;
}
