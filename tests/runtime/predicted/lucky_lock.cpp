// The race that a lucky lock order hides: the writer is through its section before the reader
// comes to its own, in most runs.
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex lock;
int progress = 0;
int ready = 0;

void set() {
  progress = 1;
  const std::lock_guard guard(lock);
  ready = 1;
}

void look() {
  {
    const std::lock_guard guard(lock);
    ready = 2;
  }
  progress = 2;
}

int main() {
  std::thread writer(set);
  std::thread reader(look);
  writer.join();
  reader.join();
  std::printf("%d %d\n", progress, ready);
}
