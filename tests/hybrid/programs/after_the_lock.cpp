// The second thread passes the first one's lock before it changes the value without it. So it
// cannot come there while the first one is at its access, but the first one can come there later.
#include <mutex>
#include <thread>

std::mutex lock;
int value = 0;
int passed = 0;

void first() {
  const std::lock_guard guard(lock);
  value = 1;
}

void second() {
  {
    const std::lock_guard guard(lock);
    ++passed;
  }
  value = 2;
}

int main() {
  std::thread one(first);
  std::thread two(second);
  one.join();
  two.join();
}
