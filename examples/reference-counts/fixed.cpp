// The count is atomic: letting go subtracts and learns the result in one step, and the last
// one to let go is one thread only.
#include <atomic>
#include <cstdio>
#include <mutex>
#include <thread>

namespace {

struct Entry {
  std::atomic<int> references = 0;
  int value = 0;
};

class Cache {
 public:
  Entry* get() {
    std::lock_guard guard(lock_);
    if (entry_ == nullptr) entry_ = new Entry{1, 42};  // the cache itself holds one
    entry_->references.fetch_add(1);
    return entry_;
  }

  static void release(Entry* entry) {
    if (entry->references.fetch_sub(1) == 1) delete entry;
  }

  void clear() {
    std::lock_guard guard(lock_);
    if (entry_ != nullptr) release(entry_);
    entry_ = nullptr;
  }

 private:
  std::mutex lock_;
  Entry* entry_ = nullptr;
};

}  // namespace

int main() {
  Cache cache;
  int seen = 0;
  std::thread reader([&] {
    Entry* entry = cache.get();
    seen = entry->value;
    Cache::release(entry);
  });
  std::thread cleaner([&] { cache.clear(); });
  reader.join();
  cleaner.join();
  cache.clear();
  std::printf("%d\n", seen);
}
