// Blocks of a trace on their way to a BlockWriter, which packs and writes them on a thread of its
// own: compressing takes about as long as encoding, and whoever records has no time for both.
//
// At most kMost blocks wait, so memory is bounded. An error of the writer is told at the next
// call. The thread is started by the first block that may be written later.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "base/result.h"
#include "trace/binary_blocks.h"

namespace heddle::binary {

class BlockQueue {
 public:
  explicit BlockQueue(BlockWriter& writer) : writer_(&writer) {}
  ~BlockQueue();
  BlockQueue(const BlockQueue&) = delete;
  BlockQueue& operator=(const BlockQueue&) = delete;

  // Takes the payload away and leaves an empty one, with room.
  Result<void> write_later(BlockType type, std::vector<std::uint8_t>& payload,
                           std::size_t event_count);
  // Returns when all blocks are written; until the next call above, the writer may be used.
  Result<void> drain();

 private:
  struct Waiting {
    BlockType type;
    std::vector<std::uint8_t> payload;
    std::size_t event_count;
  };
  static constexpr std::size_t kMost = 4;

  void work();
  bool has_room() const { return waiting_.size() < kMost; }

  BlockWriter* writer_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting> waiting_;  // the first is being written
  std::vector<std::vector<std::uint8_t>> empty_;
  Result<void> result_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace heddle::binary
