// A worker runs until a flag says stop. The flag is a plain bool: the compiler may read it
// once and never again, and what was written before it need not be seen.
#include <cstdio>
#include <thread>

namespace {

bool stop = false;
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
