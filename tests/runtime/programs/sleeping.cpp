// Sleeping takes no real time, and the clocks agree.
#include <cassert>
#include <chrono>
#include <ctime>
#include <thread>

using namespace std::chrono_literals;
int main() {
  const auto start = std::chrono::system_clock::now();
  const time_t before = time(nullptr);
  std::thread a([] { std::this_thread::sleep_for(10h); });
  std::thread b([] { std::this_thread::sleep_until(std::chrono::steady_clock::now() + 2h); });
  a.join();
  b.join();
  assert(std::chrono::system_clock::now() - start >= 10h);
  assert(time(nullptr) - before >= 36000);
}
