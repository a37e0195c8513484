// Every access of the balance is under its lock, and still a deposit can be lost: reading it and
// writing it back are two sections.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex balance_lock;
int balance = 100;

int get() {
  const std::lock_guard guard(balance_lock);
  return balance;
}

void set(int amount) {
  const std::lock_guard guard(balance_lock);
  balance = amount;
}

void deposit(int amount) { set(get() + amount); }

int main() {
  std::thread clerk([] { deposit(10); });
  std::thread customer([] { deposit(20); });
  clerk.join();
  customer.join();
  assert(balance == 130);
}
