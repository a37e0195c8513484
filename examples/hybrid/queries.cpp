// A shared database as in Figure 4 of the HYBRID paper. Threads delete what has become too big, and
// count how often they did so: `deletions` is read under one lock and changed under another. The
// two meet only if one thread goes through all of its entries while another, which has announced
// itself already, is still at the beginning.
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kEntries = 6;  // for each thread

std::mutex active_lock, key_lock, number_lock, deletion_lock;
int active = 0;
int deletions = 0;
int deleted = 0;
int compressed = 0;
std::vector<int> sizes;

void announce(int change) {
  const std::lock_guard guard(active_lock);
  active += change;
}

void query(int first, int last) {
  announce(1);
  {
    const std::lock_guard guard(key_lock);
    if (deletions % 5 == 0) ++compressed;
  }
  for (int i = first; i < last; ++i) {
    const std::lock_guard guard(number_lock);
    if (sizes[i] > 1) {
      sizes[i] = 0;
      ++deleted;
    }
  }
  {
    const std::lock_guard guard(deletion_lock);
    ++deletions;
  }
  announce(-1);
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 2;
  for (int i = 0; i < kEntries * count; ++i) sizes.push_back(i % 3);
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back(query, kEntries * i, kEntries * (i + 1));
  }
  for (std::thread& thread : threads) thread.join();
  return deletions == count ? 0 : 1;
}
