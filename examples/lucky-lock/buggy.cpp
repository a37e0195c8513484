// A download and a progress bar. `done` is guarded; `bytes` is not, but the lock happens to stand
// between the two threads in nearly every run, so a sanitizer sees them in order.
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex state_lock;
bool done = false;
long bytes = 0;

void download() {
  bytes = 4096;
  const std::lock_guard guard(state_lock);
  done = true;
}

void show() {
  bool finished = false;
  {
    const std::lock_guard guard(state_lock);
    finished = done;
  }
  std::printf("%ld bytes%s\n", bytes, finished ? ", done" : "");
}

int main() {
  std::thread worker(download);
  std::thread display(show);
  worker.join();
  display.join();
}
