// atomic wait and notify: futexes, directly and through the library's pool of waiters.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> small{0};
std::atomic<long> large{0};
int main() {
  std::thread a([] {
    small.wait(0);
    large = 1;
    large.notify_all();
  });
  std::thread b([] { large.wait(0); });
  small = 1;
  small.notify_one();
  a.join();
  b.join();
  assert(large == 1);
}
