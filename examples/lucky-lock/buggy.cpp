// A download and a progress bar, which both write to a log. The log is guarded; `bytes` is not, but
// the log's lock happens to stand between the two threads in nearly every run, so that a sanitizer
// sees them in order.
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex log_lock;
const char* last_line = "";
long bytes = 0;

void log(const char* line) {
  const std::lock_guard guard(log_lock);
  last_line = line;
}

void download() {
  bytes = 4096;
  log("downloaded");
}

void show() {
  log("showing");
  std::printf("%ld bytes\n", bytes);
}

int main() {
  std::thread worker(download);
  std::thread display(show);
  worker.join();
  display.join();
}
