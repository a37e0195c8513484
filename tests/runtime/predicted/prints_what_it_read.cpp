// Two reads that can see either value. What one of them saw is printed, what the other saw is not.
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex lock;
int printed = 1;
int hidden = 1;

int get(const int& value) {
  const std::lock_guard guard(lock);
  return value;
}

void set(int& value) {
  const std::lock_guard guard(lock);
  value = 2;
}

int main() {
  std::thread writer([] {
    set(printed);
    set(hidden);
  });
  const int first = get(printed);
  const int second = get(hidden);
  writer.join();
  std::printf("read %d\n", first);
  return second == 0 ? 1 : 0;
}
