// Memory that threads hand on by fork and join, none of it shared; and one counter that is.
#include <atomic>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

std::vector<int> numbers(16, 1);          // of main, then of a thread at a time
alignas(8) int sum = 0;                   // of one thread, then of main
alignas(8) std::atomic<int> counter = 0;  // of all

int main() {
  auto private_total = std::make_unique<long>(0);
  for (int round = 0; round < 4; ++round) {
    std::thread worker([&] {
      for (int& number : numbers) number *= 3;
      for (const int number : numbers) *private_total += number;
      ++counter;
    });
    ++counter;
    worker.join();
    numbers[static_cast<std::size_t>(round)] = round;
  }
  std::thread([] {
    for (const int number : numbers) sum += number;
  }).join();
  std::printf("%d %ld %d\n", sum, *private_total, counter.load());
}
