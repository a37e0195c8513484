#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_timed_mutex mutex;
int value;
int main() {
  std::thread writer([] {
    for (int i = 0; i < 5; ++i) {
      std::unique_lock<std::shared_timed_mutex> lock(mutex);
      ++value;
      ++value;
    }
  });
  auto read = [] {
    for (int i = 0; i < 5; ++i) {
      std::shared_lock<std::shared_timed_mutex> lock(mutex);
      assert(value % 2 == 0);
    }
  };
  std::thread a(read), b(read);
  if (mutex.try_lock_for(std::chrono::milliseconds(5))) mutex.unlock();
  if (mutex.try_lock_shared()) mutex.unlock_shared();
  writer.join();
  a.join();
  b.join();
}
