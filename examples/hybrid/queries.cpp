// A shared database as in Figure 4 of the HYBRID paper. Threads delete what has become too big, and
// count how often they did so: `deletions` is read under one lock and changed under another. The
// two meet only if one thread comes to the end while another is still at the beginning.
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

std::mutex key_lock, number_lock, deletion_lock;
int deletions = 0;
int deleted = 0;
int compressed = 0;
std::vector<int> sizes;

void query(int first, int last) {
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
  const std::lock_guard guard(deletion_lock);
  ++deletions;
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 2;
  for (int i = 0; i < 2 * count; ++i) sizes.push_back(i % 3);
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(query, 2 * i, 2 * i + 2);
  for (std::thread& thread : threads) thread.join();
  return deletions == count ? 0 : 1;
}
