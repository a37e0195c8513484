// finds: assertion
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static std::atomic<bool> ready{false};
static std::atomic<int> object{0};
static std::mutex m;

// Says that the object is ready before it is.
static int get() {
  if (!ready.load()) {
    std::lock_guard guard(m);
    if (!ready.load()) {
      ready.store(true);
      object.store(5);
    }
  }
  return object.load();
}

int main() {
  std::thread a([] { assert(get() == 5); });
  std::thread b([] { assert(get() == 5); });
  a.join();
  b.join();
}
