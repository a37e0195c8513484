// Many waiters, woken all at once, again and again.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;
std::condition_variable condition;
int turn, passed;
int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([i] {
      std::unique_lock<std::mutex> lock(mutex);
      condition.wait(lock, [i] { return turn == i; });
      ++turn;
      ++passed;
      condition.notify_all();
    });
  }
  for (std::thread& thread : threads) thread.join();
  assert(passed == 8);
}
