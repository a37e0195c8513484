// std::latch waits on a futex.
#include <cassert>
#include <latch>
#include <thread>
#include <vector>

int main() {
  std::latch ready(3);
  std::vector<int> seen(3);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&, i] {
      seen[i] = i + 1;
      ready.arrive_and_wait();
      assert(seen[0] + seen[1] + seen[2] == 6);
    });
  }
  for (std::thread& thread : threads) thread.join();
}
