#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

std::mutex mutex;
std::condition_variable_any condition;
bool ready;
int main() {
  std::jthread waiter([](std::stop_token stop) {
    std::unique_lock<std::mutex> lock(mutex);
    condition.wait(lock, stop, [] { return ready; });
  });
  std::jthread stopped([](std::stop_token stop) {
    std::unique_lock<std::mutex> lock(mutex);
    condition.wait(lock, stop, [] { return false; });
    assert(stop.stop_requested());
  });
  {
    std::lock_guard<std::mutex> guard(mutex);
    ready = true;
  }
  condition.notify_all();
}
