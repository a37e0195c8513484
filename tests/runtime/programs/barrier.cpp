// std::barrier in several phases, with a completion function.
#include <barrier>
#include <cassert>
#include <thread>
#include <vector>

int phases;
int main() {
  std::barrier sync(3, []() noexcept { ++phases; });
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 4; ++round) sync.arrive_and_wait();
    });
  }
  for (std::thread& thread : threads) thread.join();
  assert(phases == 4);
}
