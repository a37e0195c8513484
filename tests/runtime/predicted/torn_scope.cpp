// A scope that writes and reads, and a writer that does not take the lock.
#include <mutex>
#include <thread>

std::mutex lock;
long limit = 0;
long taken = 0;

void take() {
  const std::lock_guard guard(lock);
  limit = 5;
  std::this_thread::yield();
  taken += limit;
}

void change() { limit = 0; }

int main() {
  std::thread one(take);
  std::thread two(change);
  one.join();
  two.join();
  return static_cast<int>(taken) * 0;
}
