// Workers count what they have done in a plain int, and a reporter shows it.
#include <cassert>
#include <cstdio>
#include <thread>

namespace {

constexpr int kItems = 3;
int done = 0;

void work() {
  for (int i = 0; i < kItems; ++i) ++done;
}

}  // namespace

int main() {
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
  std::printf("%d items\n", done);
  assert(done == 2 * kItems && "every item is counted");
}
