// A parallel sort: each thread sorts its part and says so; the last one merges. It says so one
// statement too early: what it writes then, whether its part was in order already, may come after
// the merging thread has looked.
#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kPart = 3;
std::vector<int> numbers;
std::vector<char> was_sorted;
std::mutex finished_lock;
int finished = 0;

bool finish(int parts) {
  const std::lock_guard guard(finished_lock);
  return ++finished == parts;
}

void sort_part(int part, int parts) {
  const auto first = numbers.begin() + part * kPart;
  const bool sorted = std::is_sorted(first, first + kPart);
  std::sort(first, first + kPart);
  const bool is_last = finish(parts);
  was_sorted[part] = sorted;
  if (!is_last) return;
  for (int i = 1; i < parts; ++i) {
    if (!was_sorted[i]) {
      std::inplace_merge(numbers.begin(), numbers.begin() + i * kPart,
                         numbers.begin() + (i + 1) * kPart);
    }
  }
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 2;
  for (int i = 0; i < count * kPart; ++i) numbers.push_back((i * 7) % 11);
  was_sorted.resize(count);
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(sort_part, i, count);
  for (std::thread& thread : threads) thread.join();
  return 0;
}
