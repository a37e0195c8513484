// Memory that looks private for long, and is shared at the end.
#include <cstdio>
#include <thread>

int total = 0;
volatile int rounds = 2000;

int main() {
  std::thread adder([] {
    for (int i = 0; i < rounds; ++i) ++total;
  });
  for (int i = 0; i < rounds; ++i) std::this_thread::yield();
  const int seen = total;  // a race
  adder.join();
  std::printf("%s\n", seen <= total ? "as expected" : "strange");
}
