#include "queue.h"

void Queue::put(int item) {
  const std::lock_guard guard(mutex_);
  items_.push_back(item);
  not_empty_.notify_one();
}

int Queue::take() {
  std::unique_lock lock(mutex_);
  not_empty_.wait(lock, [this] { return !items_.empty(); });
  const int item = items_.front();
  items_.pop_front();
  return item;
}
