// Timed waits and tries that give up, beside a race.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex lock;
std::timed_mutex slow;
std::condition_variable changed;
int value = 0;
int unguarded = 0;

void wait_a_little() {
  std::unique_lock guard(lock);
  changed.wait_for(guard, std::chrono::milliseconds(5));
  ++value;
  guard.unlock();
  if (slow.try_lock_for(std::chrono::milliseconds(1))) {
    ++unguarded;
    slow.unlock();
  }
}

void hold() {
  const std::lock_guard guard(slow);
  {
    const std::lock_guard inner(lock);
    ++value;
  }
  changed.notify_one();
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ++unguarded;
}

int main() {
  std::thread waiter(wait_a_little);
  std::thread holder(hold);
  waiter.join();
  ++unguarded;
  holder.join();
  return value == 2 ? 0 : 1;
}
