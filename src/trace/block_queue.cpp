#include "trace/block_queue.h"

#include <utility>

namespace heddle::binary {

BlockQueue::~BlockQueue() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

Result<void> BlockQueue::write_later(BlockType type, std::vector<std::uint8_t>& payload,
                                     std::size_t event_count) {
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return has_room(); });
  if (!result_.ok()) return result_;
  waiting_.push_back({type, std::move(payload), event_count});
  payload = {};
  if (!empty_.empty()) {
    payload = std::move(empty_.back());
    empty_.pop_back();
  }
  lock.unlock();
  changed_.notify_all();
  return {};
}

Result<void> BlockQueue::drain() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return waiting_.empty(); });
  return result_;
}

// After an error nothing more is written.
void BlockQueue::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ends_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    Waiting& block = waiting_.front();  // stays where it is when others come
    if (result_.ok()) {
      lock.unlock();
      Result<void> written = writer_->write(block.type, block.payload, block.event_count);
      lock.lock();
      result_ = std::move(written);
    }
    block.payload.clear();
    empty_.push_back(std::move(block.payload));
    waiting_.pop_front();
    changed_.notify_all();
  }
}

}  // namespace heddle::binary
