// Money moves between accounts, each with its own lock. Every access to a balance is
// guarded, but the check and the withdrawal are two critical sections.
#include <cassert>
#include <mutex>
#include <thread>

namespace {

class Account {
 public:
  explicit Account(int balance) : balance_(balance) {}

  int balance() {
    std::lock_guard guard(lock_);
    return balance_;
  }

  void deposit(int amount) {
    std::lock_guard guard(lock_);
    balance_ += amount;
  }

  void withdraw(int amount) {
    std::lock_guard guard(lock_);
    balance_ -= amount;
    assert(balance_ >= 0 && "nobody may overdraw an account");
  }

 private:
  std::mutex lock_;
  int balance_;
};

void transfer(Account& from, Account& to, int amount) {
  if (from.balance() < amount) return;
  from.withdraw(amount);
  to.deposit(amount);
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
