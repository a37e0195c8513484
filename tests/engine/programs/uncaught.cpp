// finds: assertion
#include <atomic>
#include <stdexcept>
#include <thread>

static std::atomic<int> x{0};

int main() {
  std::thread a([] { x.store(1); });
  std::thread b([] {
    if (x.load() == 1) throw std::runtime_error("nobody catches this");
  });
  a.join();
  b.join();
}
