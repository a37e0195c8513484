// Many short threads: so many at a time, each with a little work of its own.
//
//   short_threads THREADS
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

constexpr int kThreads = 4'000;
std::uint64_t results[16];

void work(int number) {
  std::uint64_t cells[64];
  for (int i = 0; i < 64; ++i) cells[i] = static_cast<std::uint64_t>(number * i);
  for (int round = 0; round < 10; ++round) {
    for (int i = 1; i < 64; ++i) cells[i] += cells[i - 1];
  }
  results[number % 16] = cells[63];
}

}  // namespace

int main(int, char** arguments) {
  const int count = std::atoi(arguments[1]);
  for (int i = 0; i < kThreads; i += count) {
    std::vector<std::thread> threads;
    for (int k = 0; k < count; ++k) threads.emplace_back(work, i + k);
    for (std::thread& thread : threads) thread.join();
  }
}
