#include <cstdio>
#include <thread>
#include <vector>

#include "counter.h"

int main() {
  Counter counter;
  std::vector<std::thread> threads;
  for (int i = 1; i <= 4; ++i) threads.emplace_back([&counter, i] { counter.add(i); });
  for (std::thread& thread : threads) thread.join();
  std::printf("%d\n", counter.value());
}
