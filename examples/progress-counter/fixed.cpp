// The counter is atomic: an increment is one step.
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

namespace {

constexpr int kItems = 3;
std::atomic<int> done = 0;

void work() {
  for (int i = 0; i < kItems; ++i) ++done;
}

}  // namespace

int main() {
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
  std::printf("%d items\n", done.load());
  assert(done == 2 * kItems && "every item is counted");
}
