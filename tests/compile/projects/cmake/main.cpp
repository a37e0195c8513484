#include <cstdio>
#include <thread>

#include "stage.h"

extern "C" unsigned checksum(unsigned sum, int item);

int main() {
  Queue in, out;
  std::thread worker([&] { copy_items(in, out, 3); });
  for (int i = 1; i <= 3; ++i) in.put(i);
  unsigned sum = 0;
  for (int i = 0; i < 3; ++i) sum = checksum(sum, out.take());
  worker.join();
  std::printf("%u\n", sum);
}
