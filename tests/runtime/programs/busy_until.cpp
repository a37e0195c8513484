// Waiting for a clock by looking at it again and again comes to an end.
#include <chrono>
#include <thread>

int main() {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  std::thread other([end] {
    while (std::chrono::steady_clock::now() < end) {
    }
  });
  while (std::chrono::steady_clock::now() < end) std::this_thread::yield();
  other.join();
}
