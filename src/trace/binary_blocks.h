// Blocks of the binary trace file, whatever is in them: packed into an output, found
// in an input.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/flat_vector.h"
#include "base/input.h"
#include "base/output.h"
#include "base/result.h"
#include "trace/binary_format.h"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace heddle::binary {

// Compresses, checksums and writes each block with one write() to the output. After an
// error the file ends in half a block, so nothing more is written.
class BlockWriter {
 public:
  explicit BlockWriter(std::unique_ptr<Output> output);
  ~BlockWriter();

  Result<void> write_file_header();
  Result<void> write(BlockType type, std::span<const std::uint8_t> payload,
                     std::size_t event_count = 0);
  Result<void> close();

  std::uint64_t event_count() const { return event_count_; }
  std::uint64_t bytes_written() const { return bytes_written_; }

 private:
  Result<void> put(std::span<const std::uint8_t> bytes);
  std::size_t compress(std::span<const std::uint8_t> payload, int level);

  std::unique_ptr<Output> output_;
  ZSTD_CCtx_s* context_;
  std::vector<std::uint8_t> block_;  // header and payload as stored
  std::uint32_t block_count_ = 0;
  std::uint64_t event_count_ = 0;
  std::uint64_t bytes_written_ = 0;
  std::uint64_t definition_bytes_ = 0;  // before compression
  bool failed_ = false;
};

// A part of the input that has been read and not yet used up.
class InputWindow {
 public:
  explicit InputWindow(std::unique_ptr<Input> input) : input_(std::move(input)) {}

  // The next `size` bytes without using them up; fewer only where the input ends.
  Result<std::span<const std::uint8_t>> peek(std::size_t size);
  void skip(std::size_t size);
  // The offset in the input of the next byte.
  std::uint64_t offset() const { return offset_; }
  const std::string& name() const { return input_->name(); }

 private:
  std::unique_ptr<Input> input_;
  FlatVector<std::uint8_t> buffer_;
  std::size_t begin_ = 0;  // unused: [begin_, end_)
  std::size_t end_ = 0;
  std::uint64_t offset_ = 0;
};

struct Block {
  BlockHeader header;
  std::span<const std::uint8_t> payload;  // uncompressed; good until the next block
};

// What a reader can tell about the rest of a file behind a damaged block.
struct Rest {
  std::uint64_t bytes = 0;
  std::uint64_t blocks = 0;      // with a sound header
  std::uint64_t last_event = 0;  // the highest number of events that a header speaks of
};

class BlockReader {
 public:
  explicit BlockReader(std::unique_ptr<Input> input);
  ~BlockReader();

  // Refuses what is no trace file, or a newer one than this code knows.
  Result<void> read_file_header();
  // The next block; an error is a clause that says what is wrong with it, and leaves
  // the window at its start.
  Result<Block> next();
  // Looks for sound headers from here on, up to the end of the input.
  Rest survey();

  // Where the next block starts, and after an error the one that was wrong.
  std::uint64_t offset() const { return window_.offset(); }
  // Whether the input ends here.
  Result<bool> at_end();
  const std::string& name() const { return window_.name(); }
  // The major one of the file.
  std::uint16_t version() const { return version_; }

 private:
  Result<void> check(const BlockHeader& header) const;
  bool find_marker();
  Result<std::span<const std::uint8_t>> unpack(const BlockHeader& header,
                                               std::span<const std::uint8_t> stored);

  InputWindow window_;
  ZSTD_DCtx_s* context_;
  FlatVector<std::uint8_t> raw_;
  std::uint16_t version_ = kMajorVersion;
  std::uint32_t block_count_ = 0;
  std::uint64_t event_count_ = 0;
};

}  // namespace heddle::binary
