// As buggy.cpp, with a deposit in one section.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex balance_lock;
int balance = 100;

void deposit(int amount) {
  const std::lock_guard guard(balance_lock);
  balance += amount;
}

int main() {
  std::thread clerk([] { deposit(10); });
  std::thread customer([] { deposit(20); });
  clerk.join();
  customer.join();
  assert(balance == 130);
}
