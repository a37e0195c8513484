#include "trace/binary_reader.h"

#include "trace/binary_events.h"
#include "trace/binary_tables.h"

namespace heddle {

using binary::Block;
using binary::BlockType;

bool looks_binary(std::string_view first_bytes) { return first_bytes.starts_with(binary::kMagic); }

Result<std::unique_ptr<BinaryReader>> BinaryReader::open(std::unique_ptr<Input> input) {
  std::unique_ptr<BinaryReader> reader(new BinaryReader(std::move(input)));
  TRY_VOID(reader->blocks_.read_file_header());
  return reader;
}

Result<void> BinaryReader::next(std::vector<EventRecord>& batch) {
  events_before_batch_ = events_read_;
  // The batch is left as it is until events replace it, so that its elements need not
  // be made anew.
  while (!ended_ && events_read_ == events_before_batch_) {
    const auto result = read_block(batch);
    if (!result.ok()) set_damage(result.error().message);
  }
  if (events_read_ == events_before_batch_) batch.clear();
  return {};
}

std::string BinaryReader::where(std::size_t i) const {
  return fmt::format("{}: event {}", blocks_.name(), events_before_batch_ + i);
}

Result<void> BinaryReader::read_block(std::vector<EventRecord>& batch) {
  TRY(const bool at_end, blocks_.at_end());
  if (ended_cleanly_) {
    ended_ = at_end;
    return at_end ? Result<void>() : make_error("more bytes follow the end block");
  }
  if (at_end) return make_error("ends without an end block");
  const std::uint64_t offset = blocks_.offset();
  auto block = blocks_.next();
  const auto content = block.ok() ? read_content(*block, batch) : Result<void>(block.error());
  if (content.ok()) return {};
  return make_error("the block at byte {} is not right: {}", offset, content.error().message);
}

Result<void> BinaryReader::read_content(const Block& block, std::vector<EventRecord>& batch) {
  switch (block.header.type) {
    case BlockType::metadata: return binary::decode_metadata(block.payload, metadata_);
    case BlockType::definitions:
      TRY_VOID(binary::decode_definitions(block.payload, blocks_.version(), tables_));
      if (tables_.memory_bytes() <= binary::kMaxTableBytes) return {};
      return make_error("its definitions take more than {} bytes", binary::kMaxTableBytes);
    case BlockType::events:
      TRY_VOID(binary::decode_events(block.payload, block.header.event_count, blocks_.version(),
                                     binary::EventBounds(tables_), batch));
      events_read_ += batch.size();
      return {};
    case BlockType::end:
      ended_cleanly_ = true;
      return block.payload.empty() ? Result<void>() : make_error("an end block has no content");
  }
  return {};  // of a type that may be skipped
}

void BinaryReader::set_damage(const std::string& cause) {
  ended_ = true;
  damage_ = Damage{events_read_, fmt::format("{}: {}: {}", blocks_.name(), cause, describe_loss())};
}

// Says what was kept, and how much follows that was not.
std::string BinaryReader::describe_loss() {
  std::string loss = "truncated before the first event";
  if (ended_cleanly_) {
    loss = fmt::format("all {} events kept", events_read_);
  } else if (events_read_ > 0) {
    loss = fmt::format("truncated after event {} ({} events kept)", events_read_ - 1, events_read_);
  }
  const binary::Rest rest = blocks_.survey();
  if (rest.last_event > events_read_) {
    loss += fmt::format("; {} or more events that follow cannot be used",
                        rest.last_event - events_read_);
  } else if (rest.bytes > 0) {
    loss += fmt::format("; {} bytes that follow are not used", rest.bytes);
  }
  return loss;
}

}  // namespace heddle
