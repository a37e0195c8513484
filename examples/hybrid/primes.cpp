// Threads look for primes in an interval. The largest one is kept under a lock; a thread that finds
// no more numbers looks at it without one. That goes wrong only if the thread with the last prime
// has not kept it yet when all numbers behind it are done.
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

std::mutex number_lock, largest_lock;
int next_number = 96;
int limit = 0;
int largest = 0;
int last_seen = 0;

int take_number() {
  const std::lock_guard guard(number_lock);
  return next_number <= limit ? next_number++ : 0;
}

bool is_prime(int number) {
  for (int i = 2; i * i <= number; ++i) {
    if (number % i == 0) return false;
  }
  return true;
}

void keep(int number) {
  const std::lock_guard guard(largest_lock);
  if (number > largest) largest = number;
}

void find_primes() {
  int own = 0;
  for (int number = take_number(); number != 0; number = take_number()) {
    if (!is_prime(number)) continue;
    keep(number);
    own = number;
  }
  if (own > 4 && own == largest) last_seen = own;
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 2;
  limit = 126;
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(find_primes);
  for (std::thread& thread : threads) thread.join();
  return largest == 113 ? 0 : 1;
}
