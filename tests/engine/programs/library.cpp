// finds: nothing
// Threads, locks, conditions, shared pointers, containers and streams of the C++ library.
#include <cassert>
#include <condition_variable>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

int main() {
  std::mutex m;
  std::condition_variable changed;
  auto numbers = std::make_shared<std::vector<int>>();
  std::map<std::string, int> names;
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&m, &changed, &names, numbers, i] {
      std::ostringstream text;
      text << "thread " << i;
      std::lock_guard guard(m);
      numbers->push_back(i);
      names[text.str()] = i;
      std::cout << text.str() << std::endl;
      changed.notify_all();
    });
  }
  {
    std::unique_lock guard(m);
    changed.wait(guard, [&] { return numbers->size() == 2; });
  }
  for (std::thread& thread : threads) thread.join();
  assert(names.size() == 2);
}
