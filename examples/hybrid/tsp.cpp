// A travelling salesman: threads take first cities from a list and search tours by branch and
// bound. The best length so far is written under a lock, but looked at without one.
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kCities = 4;
const int distances[kCities][kCities] = {{0, 3, 9, 2}, {3, 0, 4, 7}, {9, 4, 0, 5}, {2, 7, 5, 0}};

std::mutex list_lock, best_lock;
int next_first = 1;
int best = 1000;

void extend(int city, unsigned seen, int length) {
  if (length >= best) return;
  if (seen == (1u << kCities) - 1) {
    const std::lock_guard guard(best_lock);
    const int whole = length + distances[city][0];
    if (whole < best) best = whole;
    return;
  }
  for (int next = 1; next < kCities; ++next) {
    if ((seen >> next & 1) == 0) extend(next, seen | 1u << next, length + distances[city][next]);
  }
}

int take_first() {
  const std::lock_guard guard(list_lock);
  return next_first < kCities ? next_first++ : 0;
}

void solve() {
  for (int first = take_first(); first != 0; first = take_first()) {
    extend(first, 1u | 1u << first, distances[0][first]);
  }
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 2;
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(solve);
  for (std::thread& thread : threads) thread.join();
  return best == 14 ? 0 : 1;
}
