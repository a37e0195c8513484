// As buggy.cpp, with both locks taken together, in an order that std::scoped_lock sees to.
#include <mutex>
#include <thread>

struct Account {
  std::mutex lock;
  long balance = 100;
};

Account ann;
Account bob;

void transfer(Account& from, Account& to, long amount) {
  const std::scoped_lock both(from.lock, to.lock);
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
