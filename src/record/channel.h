// The host's end of the wire (runtime/wire.h): the memory file, and taking records out.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "base/result.h"
#include "runtime/wire.h"

namespace heddle {

// What the program finds in its channel.
struct ChannelContent {
  wire::Settings settings;
  std::span<const wire::Run> schedule = {};
  std::span<const wire::Range> shared = {};
  std::span<const wire::AllocationSite> shared_sites = {};
  wire::SearchSettings search = {};
  std::uint64_t result_bytes = 0;
};

class Channel {
 public:
  static Result<Channel> create(const ChannelContent& content);
  Channel(Channel&& other) noexcept;
  ~Channel();

  int descriptor() const { return descriptor_; }
  bool attached() const { return header_->attached.load() != 0; }
  bool complete() const { return header_->complete.load() != 0; }
  std::uint32_t progress() const { return header_->progress.load(std::memory_order_relaxed); }
  std::uint64_t left_out() const { return header_->left_out.load(); }
  // Of a search.
  std::uint64_t executions() const { return header_->executions.load(); }
  double estimate() const { return header_->estimate.load(); }
  std::string_view result() const {
    return {wire::result_of(header_), header_->result_size.load()};
  }
  // Of a confined run: what it printed; none when there was not enough room.
  std::optional<std::string_view> printed() const {
    if (header_->result_size.load() > header_->result_bytes) return std::nullopt;
    return result();
  }
  bool cut() const { return header_->cut.load() != 0; }
  std::string_view message() const { return header_->message; }
  std::uint32_t refused() const { return header_->refused.load(); }

  // Hands over what is final, in at most a few pieces; true if there was anything.
  using Take = std::function<Result<void>(std::span<const wire::Record>)>;
  Result<bool> drain(const Take& take);
  // The same after the program's death: also the last record, which may lack its value.
  Result<bool> drain_rest(const Take& take);
  // Sleeps until there is more to take, for at most this long.
  void wait(std::uint64_t microseconds);

 private:
  Channel(int descriptor, wire::Header* header, std::size_t size)
      : descriptor_(descriptor), header_(header), size_(size) {}
  Result<bool> take_until(std::uint64_t end, const Take& take);

  int descriptor_;
  wire::Header* header_;
  std::size_t size_;
};

}  // namespace heddle
