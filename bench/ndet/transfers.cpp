// Transfers between accounts, for recorded traces as long as one likes: about 250,000 events for
// each unit of SIZE. Each account has a lock, taken in the order of the accounts. Once in a while
// a clerk looks at an account without its lock, which is a race, and an auditor takes two locks
// in the wrong order, which is a possible deadlock.
//
//   transfers [SIZE]
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr int kClerks = 4;
constexpr std::uint32_t kAccounts = 64;
constexpr int kTransfers = 7'800;  // of each clerk, for a size of 1

struct Account {
  std::mutex lock;
  long balance = 100;
  long transfers = 0;
};
Account accounts[kAccounts];

void move_money(Account& from, Account& to, long amount) {
  from.balance -= amount;
  ++from.transfers;
  to.balance += amount;
}

void transfer(std::uint32_t from, std::uint32_t to) {
  const auto [first, second] = std::minmax(from, to);
  const std::lock_guard one(accounts[first].lock);
  const std::lock_guard other(accounts[second].lock);
  move_money(accounts[from], accounts[to], 1);
}

long audit(std::uint32_t account) {
  const std::lock_guard one(accounts[account + 1].lock);
  const std::lock_guard other(accounts[account].lock);
  return accounts[account].balance + accounts[account + 1].balance;
}

void work(std::uint32_t clerk, int rounds) {
  std::uint32_t state = clerk + 1;
  long seen = 0;
  for (int round = 0; round < rounds; ++round) {
    state = state * 1664525 + 1013904223;
    const std::uint32_t from = (state >> 8) % kAccounts;
    const std::uint32_t to = (from + 1 + (state >> 16) % (kAccounts - 1)) % kAccounts;
    transfer(from, to);
    if (round % 5'000 == 4'999) seen += accounts[from].transfers;
    if (clerk == 0 && round % 3'000 == 2'999) seen += audit(from % (kAccounts - 1));
  }
  if (seen < 0) std::abort();
}

}  // namespace

int main(int count, char** words) {
  const int size = count > 1 ? std::atoi(words[1]) : 1;
  std::vector<std::thread> clerks;
  for (std::uint32_t i = 0; i < kClerks; ++i) clerks.emplace_back(work, i, size * kTransfers);
  for (std::thread& clerk : clerks) clerk.join();
}
