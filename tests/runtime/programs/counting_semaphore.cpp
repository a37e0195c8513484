#include <atomic>
#include <cassert>
#include <semaphore>
#include <thread>
#include <vector>

std::counting_semaphore<4> slots(2);
std::binary_semaphore done(0);
std::atomic<int> inside, most;
int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 5; ++i) {
    threads.emplace_back([] {
      slots.acquire();
      int now = ++inside;
      if (now > most) most = now;
      --inside;
      slots.release();
      done.release();
      done.acquire();
    });
  }
  for (std::thread& thread : threads) thread.join();
  assert(most <= 2);
}
