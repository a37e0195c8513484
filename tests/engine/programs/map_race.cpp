// finds: race
// One thread looks something up in a map without the lock under which the other one inserts.
#include <map>
#include <mutex>
#include <thread>

std::map<int, int> numbers;
std::mutex lock;

void insert() {
  const std::lock_guard guard(lock);
  numbers[1] = 1;
}

int main() {
  std::thread first(insert);
  std::thread second([] {
    if (numbers.find(2) == numbers.end()) insert();
  });
  first.join();
  second.join();
}
