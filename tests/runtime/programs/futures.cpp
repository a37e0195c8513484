#include <cassert>
#include <future>
#include <stdexcept>

int square(int x) { return x * x; }
int main() {
  std::future<int> a = std::async(std::launch::async, square, 4);
  std::future<int> b = std::async(std::launch::async, square, 5);
  std::promise<int> promise;
  std::thread c([&] { promise.set_value(a.get() + b.get()); });
  assert(promise.get_future().get() == 41);
  c.join();
  auto failing = std::async(std::launch::async, []() -> int { throw std::runtime_error("no"); });
  try {
    failing.get();
    assert(false);
  } catch (const std::runtime_error&) {
  }
  std::packaged_task<int(int)> task(square);
  auto result = task.get_future();
  std::thread(std::move(task), 6).join();
  assert(result.get() == 36);
}
