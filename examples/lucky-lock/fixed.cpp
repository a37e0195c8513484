// As buggy.cpp, with the lock around all that the two threads share.
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex state_lock;
bool done = false;
long bytes = 0;

void download() {
  const std::lock_guard guard(state_lock);
  bytes = 4096;
  done = true;
}

void show() {
  bool finished = false;
  long so_far = 0;
  {
    const std::lock_guard guard(state_lock);
    finished = done;
    so_far = bytes;
  }
  std::printf("%ld bytes%s\n", so_far, finished ? ", done" : "");
}

int main() {
  std::thread worker(download);
  std::thread display(show);
  worker.join();
  display.join();
}
