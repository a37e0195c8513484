// printf holds the lock of its stream when it allocates; nobody may be kept waiting there.
#include <cstdio>
#include <iostream>
#include <thread>
#include <vector>

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([i] {
      for (int j = 0; j < 5; ++j) std::printf("thread %d, line %d\n", i, j);
      std::cout << "done " << i << std::endl;
    });
  }
  for (std::thread& thread : threads) thread.join();
}
