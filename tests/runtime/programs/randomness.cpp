// Random numbers are the same in every run with the same seed.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>

#include <sys/random.h>

int main() {
  std::random_device device;
  unsigned bytes = 0;
  getrandom(&bytes, sizeof bytes, 0);
  std::srand(42);
  std::thread thread([] { std::printf("%d\n", std::rand()); });
  std::printf("%u %u %d\n", device(), bytes, std::rand());
  thread.join();
}
