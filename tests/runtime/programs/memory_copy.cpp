// memcpy, memmove and memset on memory that threads share under a lock.
#include <cassert>
#include <cstring>
#include <mutex>
#include <thread>

struct Block {
  char bytes[200];
};
Block shared, mirror;
std::mutex mutex;
void writer(char c) {
  for (int i = 0; i < 5; ++i) {
    std::lock_guard<std::mutex> guard(mutex);
    std::memset(shared.bytes, c, sizeof shared.bytes);
    std::memcpy(&mirror, &shared, sizeof mirror);
    std::memmove(mirror.bytes + 1, mirror.bytes, 100);
  }
}
int main() {
  std::thread a(writer, 'a'), b(writer, 'b');
  a.join();
  b.join();
  assert(std::memcmp(&shared, &mirror, sizeof shared) == 0);
}
