// Writes the binary trace file (.heddle), block by block.
//
// Events are encoded as they come and written once kBlockEvents of them are together,
// or at flush(). Every block reaches the operating system whole and at once, so when
// the process dies, a reader gets everything up to the last block: at most
// kBlockEvents events are lost. The tables that are handed in may have grown since the
// call before; what was in them then must not have changed.
//
// In the background, blocks are compressed and written by a thread of the writer's own, and an
// error comes with a later call. The bytes are the same.
//
// Memory: a few hundred KiB, 5 MiB at the worst; in the background, up to four blocks more. Not
// thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/output.h"
#include "base/result.h"
#include "trace/binary_blocks.h"
#include "trace/binary_events.h"
#include "trace/binary_tables.h"
#include "trace/block_queue.h"
#include "trace/stream.h"

namespace heddle {

class BinaryWriter final : public EventSink {
 public:
  // Both write the file header at once. create() makes a file that can be read at any
  // moment (DescriptorOutput).
  enum class Blocks { at_once, in_background };
  static Result<std::unique_ptr<BinaryWriter>> create(const std::string& path,
                                                      Blocks blocks = Blocks::at_once);
  static Result<std::unique_ptr<BinaryWriter>> to(std::unique_ptr<Output> output,
                                                  Blocks blocks = Blocks::at_once);

  // Writes what is known of the run already, so that it survives a crash; may be
  // called again when more is known.
  Result<void> write_metadata(const Metadata& metadata);
  Result<void> append(const Tables& tables, std::span<const EventRecord> events) override;
  // Writes all events so far, which a crash can then no longer take.
  Result<void> flush(const Tables& tables);
  // Lets the tables forget the locations and regions that are written, but for so many of the
  // latest: the tables of a long run need no more memory than those of a short one.
  void forget_written(Tables& tables, std::size_t latest = std::size_t{1} << 12) const;
  // Writes what is left, the metadata, and the end block; closes the output.
  Result<void> finish(const Tables& tables, const Metadata& metadata) override;

  // Once it is finished.
  std::uint64_t bytes_written() const { return blocks_.bytes_written(); }

 private:
  BinaryWriter(std::unique_ptr<Output> output, Blocks blocks)
      : blocks_(std::move(output)), when_(blocks), queue_(blocks_) {}

  Result<void> check(const Tables& tables, std::span<const EventRecord> events) const;
  Result<void> write_definitions(const Tables& tables);
  Result<void> write_encoded(const Tables& tables);
  Result<void> write_payload(binary::BlockType type, std::size_t event_count = 0);

  binary::BlockWriter blocks_;
  Blocks when_;
  binary::BlockQueue queue_;
  std::uint64_t event_count_ = 0;  // in blocks
  binary::DefinitionEncoder definitions_;
  binary::EventEncoder events_;
  Metadata written_metadata_;
  std::vector<std::uint8_t> payload_;
};

}  // namespace heddle
