// The flag is atomic; its store publishes what was written before it.
#include <atomic>
#include <cstdio>
#include <thread>

namespace {

std::atomic<bool> stop = false;
const char* reason = "none";

void work() {
  for (int i = 0; i < 3; ++i) {
    if (stop) {
      std::printf("stopped: %s\n", reason);
      return;
    }
  }
}

}  // namespace

int main() {
  std::thread worker(work);
  reason = "end of the day";
  stop = true;
  worker.join();
}
