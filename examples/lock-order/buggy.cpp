// Transfers between two accounts. Each locks its own account first and then the other's.
#include <mutex>
#include <thread>

struct Account {
  std::mutex lock;
  long balance = 100;
};

Account ann;
Account bob;

void transfer(Account& from, Account& to, long amount) {
  const std::lock_guard first(from.lock);
  const std::lock_guard second(to.lock);
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  std::thread one([] { transfer(ann, bob, 10); });
  std::thread two([] { transfer(bob, ann, 20); });
  one.join();
  two.join();
  return ann.balance + bob.balance == 200 ? 0 : 1;
}
