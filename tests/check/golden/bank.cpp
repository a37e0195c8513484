// What the findings of the golden reports are about; it is only quoted.
#include <cassert>
#include <mutex>

std::mutex accounts, journal;
long balance = 100;
long entries[4];
long* last = nullptr;
bool open = true;

void withdraw(long amount) {
  if (balance >= amount) balance -= amount;
}
void transfer() {
  std::lock_guard one(accounts);
  std::lock_guard two(journal);
}
void book() {
  std::lock_guard two(journal);
  std::lock_guard one(accounts);
}
void wait_until_closed() {
  while (open) {
  }
}
void forget() { delete last; }
long newest() { return *last; }
int audit() { return balance < 0 ? 1 : 0; }
void check() { assert(balance >= 0 && "nobody withdraws more than there is"); }
