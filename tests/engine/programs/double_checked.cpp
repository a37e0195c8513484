// finds: nothing
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static std::atomic<int*> instance{nullptr};
static std::mutex m;
static int made = 0;
static int object = 0;

static int* get() {
  int* pointer = instance.load();
  if (pointer != nullptr) return pointer;
  std::lock_guard guard(m);
  pointer = instance.load();
  if (pointer == nullptr) {
    ++made;
    object = 5;
    pointer = &object;
    instance.store(pointer);
  }
  return pointer;
}

int main() {
  std::thread a([] { assert(*get() == 5); });
  std::thread b([] { assert(*get() == 5); });
  a.join();
  b.join();
  assert(made == 1);
}
