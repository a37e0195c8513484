#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

std::timed_mutex timed;
std::recursive_mutex recursive;
std::mutex a, b;
int both;
void body() {
  for (int i = 0; i < 5; ++i) {
    std::scoped_lock lock(a, b);
    ++both;
  }
  std::lock_guard<std::recursive_mutex> outer(recursive);
  std::lock_guard<std::recursive_mutex> inner(recursive);
}
void reversed() {
  for (int i = 0; i < 5; ++i) {
    std::scoped_lock lock(b, a);
    ++both;
  }
}
int main() {
  timed.lock();
  std::thread waiter([] { assert(!timed.try_lock_for(std::chrono::seconds(1))); });
  std::thread x(body), y(reversed);
  waiter.join();
  timed.unlock();
  x.join();
  y.join();
  assert(both == 10);
}
