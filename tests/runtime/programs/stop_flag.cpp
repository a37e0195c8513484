// A thread that works until the main thread, which sleeps, tells it to stop.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

std::atomic<bool> stop;
long rounds;
int main() {
  std::thread worker([] {
    while (!stop) ++rounds;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  stop = true;
  worker.join();
  assert(rounds >= 0);
}
