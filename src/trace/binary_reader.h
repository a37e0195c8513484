// Reads the binary trace file (.heddle).
//
// Everything before the first damage is recovered: a block is used only when its
// checksums are right, it stands in its place, and every number in it is defined.
// What comes after a hole is not used, even where it is sound, since neither its
// order nor its numbers can be trusted; the reader only looks how much it is. No input
// makes it crash, loop or take memory out of proportion.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/input.h"
#include "base/result.h"
#include "trace/binary_blocks.h"
#include "trace/stream.h"

namespace heddle {

class BinaryReader final : public EventSource {
 public:
  // An error when the input is no binary trace, or a newer one than this code knows.
  static Result<std::unique_ptr<BinaryReader>> open(std::unique_ptr<Input> input);

  // A batch is a block. Damage is no error; see damage() after the end.
  Result<void> next(std::vector<EventRecord>& batch) override;
  std::string where(std::size_t i) const override;

 private:
  explicit BinaryReader(std::unique_ptr<Input> input) : blocks_(std::move(input)) {}

  Result<void> read_block(std::vector<EventRecord>& batch);
  Result<void> read_content(const binary::Block& block, std::vector<EventRecord>& batch);
  void set_damage(const std::string& cause);
  std::string describe_loss();

  binary::BlockReader blocks_;
  std::uint64_t events_before_batch_ = 0;
  std::uint64_t events_read_ = 0;
  bool ended_cleanly_ = false;  // by an end block
  bool ended_ = false;
};

// Whether the first bytes of a file are those of a binary trace.
bool looks_binary(std::string_view first_bytes);

}  // namespace heddle
