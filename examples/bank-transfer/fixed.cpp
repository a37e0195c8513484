// The check and the withdrawal are one critical section.
#include <cassert>
#include <mutex>
#include <thread>

namespace {

class Account {
 public:
  explicit Account(int balance) : balance_(balance) {}

  void deposit(int amount) {
    std::lock_guard guard(lock_);
    balance_ += amount;
  }

  bool withdraw(int amount) {
    std::lock_guard guard(lock_);
    if (balance_ < amount) return false;
    balance_ -= amount;
    assert(balance_ >= 0 && "nobody may overdraw an account");
    return true;
  }

 private:
  std::mutex lock_;
  int balance_;
};

void transfer(Account& from, Account& to, int amount) {
  if (from.withdraw(amount)) to.deposit(amount);
}

}  // namespace

int main() {
  Account savings(100);
  Account rent(0);
  Account holiday(0);

  std::thread landlord([&] { transfer(savings, rent, 80); });
  std::thread traveller([&] { transfer(savings, holiday, 60); });
  landlord.join();
  traveller.join();
}
