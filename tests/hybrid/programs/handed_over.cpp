// A value is handed over: written under one lock, announced, and changed under another lock by who
// has heard of it. Lockset warns; there is no race.
#include <mutex>
#include <thread>

std::mutex writer_lock, reader_lock, announced_lock;
int value = 0;
bool announced = false;

void write() {
  {
    const std::lock_guard guard(writer_lock);
    value = 1;
  }
  const std::lock_guard guard(announced_lock);
  announced = true;
}

bool is_announced() {
  const std::lock_guard guard(announced_lock);
  return announced;
}

void change() {
  if (!is_announced()) return;
  {
    const std::lock_guard guard(writer_lock);
    value = 2;
  }
  const std::lock_guard guard(reader_lock);
  value = 3;
}

int main() {
  std::thread writer(write);
  std::thread reader(change);
  writer.join();
  reader.join();
}
