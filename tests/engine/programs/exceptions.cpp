// finds: nothing
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <thread>

static std::atomic<int> x{0};

static void work(int number) {
  try {
    x.fetch_add(1);
    if (number == 1) throw std::runtime_error("one");
    throw 7;
  } catch (const std::runtime_error&) {
    x.fetch_add(1);
    assert(number == 1);
  } catch (int seven) {
    x.fetch_add(1);
    assert(seven == 7);
  }
}

int main() {
  std::thread a(work, 1);
  std::thread b(work, 2);
  a.join();
  b.join();
  assert(x == 4);
}
