// Every access is under the lock, and still an update can be lost: reading and writing are two
// sections. The withdrawal in one section can be broken by a plain write elsewhere.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex lock;
int balance = 100;

int get() {
  const std::lock_guard guard(lock);
  return balance;
}

void set(int amount) {
  const std::lock_guard guard(lock);
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
