// Atomics-heavy: counters that all share, a stack of numbers with compare-and-swap, and a
// flag that is read often.
//
//   atomics THREADS
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

constexpr int kRounds = 4'000'000;

std::atomic<std::uint64_t> counters[8];
std::atomic<std::uint64_t> top;
std::atomic<bool> stop;

void work(int rounds) {
  for (int i = 0; i < rounds && !stop.load(std::memory_order_acquire); ++i) {
    counters[i % 8].fetch_add(1);
    std::uint64_t old = top.load();
    if (i % 4 == 0) top.compare_exchange_strong(old, old + 1);
  }
}

}  // namespace

int main(int, char** arguments) {
  const int count = std::atoi(arguments[1]);
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(work, kRounds / count);
  for (std::thread& thread : threads) thread.join();
}
