// A queue with a condition, and a count of what went through it that nobody guards.
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <thread>

std::mutex lock;
std::condition_variable filled;
std::deque<int> queue;
bool closed = false;
int handled = 0;

void produce(int first) {
  for (int i = first; i < first + 2; ++i) {
    const std::lock_guard guard(lock);
    queue.push_back(i);
    filled.notify_one();
  }
}

void consume() {
  for (;;) {
    std::unique_lock guard(lock);
    filled.wait(guard, [] { return closed || !queue.empty(); });
    if (queue.empty()) return;
    queue.pop_front();
    guard.unlock();
    ++handled;
  }
}

int main() {
  std::thread consumers[2] = {std::thread(consume), std::thread(consume)};
  std::thread producer(produce, 1);
  producer.join();
  {
    const std::lock_guard guard(lock);
    closed = true;
  }
  filled.notify_all();
  for (std::thread& consumer : consumers) consumer.join();
  std::printf("%d\n", handled);
}
