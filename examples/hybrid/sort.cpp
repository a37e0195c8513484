// A parallel sort: each thread sorts its part, run by run, and says when it is done; the last one
// says how many elements have moved. Parts are unequal, as a pivot leaves them. A thread says so
// one statement too early: what it adds then may come too late. Buffers from a common pool make
// that rare: the last thread takes one for its message, and mostly it is one that the others have
// given back afterwards.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kRun = 2;
// Where a part begins.
int start_of(int part) { return 6 * part + 2 * part * part; }
std::vector<int> numbers;
std::mutex pool_lock, finished_lock;
int buffers_in_use = 0;
int finished = 0;
int moved = 0;

void use_buffers(int change) {
  const std::lock_guard guard(pool_lock);
  buffers_in_use += change;
}

bool finish(int parts) {
  const std::lock_guard guard(finished_lock);
  return ++finished == parts;
}

// How many elements are not where they were.
int sort_runs(int first, int last) {
  const std::vector<int> before(numbers.begin() + first, numbers.begin() + last);
  for (int end = first + kRun; end <= last; end += kRun) {
    use_buffers(1);
    std::sort(numbers.begin() + first, numbers.begin() + end);
    use_buffers(-1);
  }
  int count = 0;
  for (int i = first; i < last; ++i) count += numbers[i] != before[i - first];
  return count;
}

void sort_part(int part, int parts) {
  use_buffers(1);
  const int count = sort_runs(start_of(part), start_of(part + 1));
  const bool is_last = finish(parts);
  moved += count;
  use_buffers(-1);
  if (!is_last) return;
  use_buffers(1);
  std::printf("%d elements have moved\n", moved);
  use_buffers(-1);
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 2;
  for (int i = 0; i < start_of(count); ++i) numbers.push_back((i * 7) % 11);
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(sort_part, i, count);
  for (std::thread& thread : threads) thread.join();
  for (int i = 1; i < count; ++i) {
    std::inplace_merge(numbers.begin(), numbers.begin() + start_of(i),
                       numbers.begin() + start_of(i + 1));
  }
  return std::is_sorted(numbers.begin(), numbers.end()) ? 0 : 1;
}
