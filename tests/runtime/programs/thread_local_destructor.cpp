// Destructors of thread_local objects run in their thread, before it is joined.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
int destroyed;
struct Local {
  int uses = 0;
  ~Local() {
    std::lock_guard<std::mutex> guard(mutex);
    ++destroyed;
  }
};
thread_local Local local;
int main() {
  auto body = [] {
    for (int i = 0; i < 10; ++i) ++local.uses;
    assert(local.uses == 10);
  };
  std::thread a(body), b(body);
  a.join();
  b.join();
  assert(destroyed == 2);
}
