// Threads that make threads.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> leaves{0};
void grow(int depth) {
  if (depth == 0) {
    ++leaves;
    return;
  }
  std::thread left(grow, depth - 1), right(grow, depth - 1);
  left.join();
  right.join();
}
int main() {
  grow(4);
  assert(leaves == 16);
}
