#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;
int counter;
int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 100; ++i) {
    threads.emplace_back([] {
      std::lock_guard<std::mutex> guard(mutex);
      ++counter;
    });
  }
  for (std::thread& thread : threads) thread.join();
  assert(counter == 100);
}
