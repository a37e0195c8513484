// Two threads copy and drop one shared_ptr; its count must be atomic.
#include <cassert>
#include <memory>
#include <thread>

struct Thing {
  int value = 7;
  ~Thing() { value = 0; }
};

int main() {
  auto shared = std::make_shared<Thing>();
  auto use = [shared] {
    for (int i = 0; i < 20; ++i) {
      std::shared_ptr<Thing> copy = shared;
      assert(copy->value == 7);
    }
  };
  std::thread a(use), b(use);
  a.join();
  b.join();
  assert(shared.use_count() == 2);
}
