// A wait that nobody ends times out, in virtual time.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;
std::mutex mutex;
std::condition_variable condition;
bool ready;
int main() {
  const auto start = std::chrono::steady_clock::now();
  {
    std::unique_lock<std::mutex> lock(mutex);
    assert(!condition.wait_for(lock, 1h, [] { return ready; }));
  }
  assert(std::chrono::steady_clock::now() - start >= 1h);
  std::thread notifier([] {
    std::lock_guard<std::mutex> guard(mutex);
    ready = true;
    condition.notify_one();
  });
  {
    std::unique_lock<std::mutex> lock(mutex);
    assert(condition.wait_for(lock, 1h, [] { return ready; }));
  }
  notifier.join();
}
