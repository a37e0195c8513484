// Exceptions inside thread functions, with destructors on their way.
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

std::mutex mutex;
int caught;
void thrower(int depth) {
  std::lock_guard<std::mutex>* none = nullptr;
  (void)none;
  std::string text(100, 'x');
  if (depth == 0) throw std::runtime_error(text);
  thrower(depth - 1);
}
void body() {
  try {
    std::lock_guard<std::mutex> guard(mutex);
    thrower(5);
  } catch (const std::runtime_error&) {
    std::lock_guard<std::mutex> guard(mutex);
    ++caught;
  }
}
int main() {
  std::thread a(body), b(body);
  a.join();
  b.join();
  assert(caught == 2);
}
