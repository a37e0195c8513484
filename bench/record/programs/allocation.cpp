// Allocation-heavy: maps of strings are filled and emptied again.
//
//   allocation THREADS
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int kRounds = 1'600;
constexpr int kEntries = 500;

void work(int rounds) {
  for (int round = 0; round < rounds; ++round) {
    std::map<int, std::unique_ptr<std::string>> map;
    for (int i = 0; i < kEntries; ++i) {
      map[i * 7919 % 1000] = std::make_unique<std::string>(static_cast<std::size_t>(i % 60), 'x');
    }
    for (int i = 0; i < kEntries; i += 2) map.erase(i);
  }
}

}  // namespace

int main(int, char** arguments) {
  const int count = std::atoi(arguments[1]);
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(work, kRounds / count);
  for (std::thread& thread : threads) thread.join();
}
