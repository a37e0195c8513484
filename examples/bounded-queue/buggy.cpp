// A bounded queue whose consumer waits with `if`. A notified consumer may find that another
// one was faster, and takes an item that is not there.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

constexpr int kCapacity = 2;

class Queue {
 public:
  void push(int item) {
    std::unique_lock guard(lock_);
    if (size_ == kCapacity) not_full_.wait(guard);
    items_[(first_ + size_) % kCapacity] = item;
    ++size_;
    not_empty_.notify_one();
  }

  int pop() {
    std::unique_lock guard(lock_);
    if (size_ == 0) not_empty_.wait(guard);
    assert(size_ > 0 && "nothing to take");
    const int item = items_[first_];
    first_ = (first_ + 1) % kCapacity;
    --size_;
    not_full_.notify_one();
    return item;
  }

 private:
  std::mutex lock_;
  std::condition_variable not_empty_;
  std::condition_variable not_full_;
  int items_[kCapacity] = {};
  int first_ = 0;
  int size_ = 0;
};

}  // namespace

int main() {
  Queue queue;
  std::thread first([&] { queue.pop(); });
  std::thread second([&] { queue.pop(); });
  std::thread producer([&] {
    queue.push(1);
    queue.push(2);
  });
  first.join();
  second.join();
  producer.join();
}
