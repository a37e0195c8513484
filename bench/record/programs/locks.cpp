// Compute-heavy with locks: each thread works on a table of its own and, once a round, adds
// its result to totals that all share.
//
//   locks THREADS
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr int kCells = 512;
constexpr int kRounds = 50'000;

std::mutex mutex;
std::uint64_t totals[16];

void work(int rounds, std::uint64_t seed) {
  std::vector<std::uint64_t> cells(kCells, seed);
  for (int round = 0; round < rounds; ++round) {
    for (int i = 1; i < kCells; ++i) cells[i] = cells[i - 1] * 31 + cells[i] % 7;
    const std::lock_guard lock(mutex);
    totals[round % 16] += cells[kCells - 1];
  }
}

}  // namespace

int main(int, char** arguments) {
  const int count = std::atoi(arguments[1]);
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(work, kRounds / count, i + 1);
  for (std::thread& thread : threads) thread.join();
}
