// Semaphores, a barrier, readers and writers, once, a flag that does not order: races beside
// each of them.
#include <atomic>
#include <barrier>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>

std::counting_semaphore<4> permits(1);
std::barrier meeting(2);
std::shared_mutex table_lock;
std::once_flag once;
std::atomic<int> flag = 0;
int table = 0, loose = 0, made = 0, message = 0;

void work(int number) {
  permits.acquire();
  table += 0;
  permits.release();
  std::call_once(once, [] { made = 1; });
  {
    const std::shared_lock reading(table_lock);
    loose = table + number;
  }
  if (number == 1) {
    message = 42;
    flag.store(1, std::memory_order_relaxed);
  } else if (flag.load(std::memory_order_relaxed) == 1) {
    loose = message;
  }
  int expected = 1;
  flag.compare_exchange_strong(expected, 2);
  meeting.arrive_and_wait();
  const std::unique_lock writing(table_lock);
  ++table;
}

int main() {
  std::thread one(work, 1);
  std::thread two(work, 2);
  one.join();
  two.join();
  return table == 2 && made == 1 ? 0 : 1;
}
