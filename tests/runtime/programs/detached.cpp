// Detached threads, some of them still there at the end of the program.
#include <atomic>
#include <thread>

std::atomic<int> finished{0};
int main() {
  for (int i = 0; i < 10; ++i) {
    std::thread([] { ++finished; }).detach();
  }
  while (finished < 7) std::this_thread::yield();
}
