// As buggy.cpp, with a lock around all that the two threads share.
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex log_lock;
const char* last_line = "";
std::mutex bytes_lock;
long bytes = 0;

void log(const char* line) {
  const std::lock_guard guard(log_lock);
  last_line = line;
}

void download() {
  {
    const std::lock_guard guard(bytes_lock);
    bytes = 4096;
  }
  log("downloaded");
}

void show() {
  log("showing");
  const std::lock_guard guard(bytes_lock);
  std::printf("%ld bytes\n", bytes);
}

int main() {
  std::thread worker(download);
  std::thread display(show);
  worker.join();
  display.join();
}
