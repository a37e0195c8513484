// Linked into the program under test as a shared library.
#include <mutex>

namespace {
std::mutex mutex;
int counter;
struct Early {
  Early() { counter = 0; }
} early;
}  // namespace

int counted() { return counter; }
void count(int times) {
  for (int i = 0; i < times; ++i) {
    std::lock_guard<std::mutex> guard(mutex);
    ++counter;
  }
}
