#include "trace/binary_writer.h"

#include <algorithm>

#include "base/descriptor_output.h"

namespace heddle {

using binary::BlockType;
using binary::kBlockEvents;

Result<std::unique_ptr<BinaryWriter>> BinaryWriter::create(const std::string& path, Blocks blocks) {
  TRY(auto output, DescriptorOutput::create(path));
  return to(std::move(output), blocks);
}

Result<std::unique_ptr<BinaryWriter>> BinaryWriter::to(std::unique_ptr<Output> output,
                                                       Blocks blocks) {
  std::unique_ptr<BinaryWriter> writer(new BinaryWriter(std::move(output), blocks));
  TRY_VOID(writer->blocks_.write_file_header());
  return writer;
}

Result<void> BinaryWriter::write_metadata(const Metadata& metadata) {
  if (metadata == written_metadata_) return {};
  written_metadata_ = metadata;
  TRY_VOID(queue_.drain());
  return blocks_.write(BlockType::metadata, binary::encode_metadata(metadata));
}

Result<void> BinaryWriter::append(const Tables& tables, std::span<const EventRecord> events) {
  TRY_VOID(check(tables, events));
  while (!events.empty()) {
    const std::size_t size = std::min(events.size(), kBlockEvents - events_.size());
    events_.add(events.first(size));
    events = events.subspan(size);
    if (events_.size() == kBlockEvents) TRY_VOID(write_encoded(tables));
  }
  return {};
}

// A file with an undefined number in it could not be read again.
Result<void> BinaryWriter::check(const Tables& tables, std::span<const EventRecord> events) const {
  const binary::EventBounds bounds(tables);
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (!bounds.accept(events[i])) [[unlikely]] {
      return make_error("cannot write event {}: it {}", event_count_ + events_.size() + i,
                        bounds.explain(events[i]));
    }
  }
  return {};
}

Result<void> BinaryWriter::write_definitions(const Tables& tables) {
  for (;;) {
    payload_.clear();
    TRY_VOID(definitions_.encode_some(tables, payload_));
    if (payload_.empty()) return {};
    TRY_VOID(write_payload(BlockType::definitions));
  }
}

Result<void> BinaryWriter::write_payload(BlockType type, std::size_t event_count) {
  event_count_ += event_count;
  if (when_ == Blocks::at_once) return blocks_.write(type, payload_, event_count);
  return queue_.write_later(type, payload_, event_count);
}

Result<void> BinaryWriter::write_encoded(const Tables& tables) {
  TRY_VOID(write_definitions(tables));
  if (events_.size() == 0) return {};
  const std::size_t count = events_.size();
  payload_.clear();
  events_.take(payload_);
  return write_payload(BlockType::events, count);
}

Result<void> BinaryWriter::flush(const Tables& tables) {
  TRY_VOID(write_encoded(tables));
  return queue_.drain();
}

namespace {

template <typename I, typename T>
void forget_but_latest(ForgettingTable<I, T>& table, std::size_t written, std::size_t latest) {
  const std::size_t first = table.size() > latest ? table.size() - latest : 0;
  table.forget_before(I(static_cast<std::uint32_t>(std::min(first, written))));
}

}  // namespace

void BinaryWriter::forget_written(Tables& tables, std::size_t latest) const {
  forget_but_latest(tables.locations, definitions_.encoded(binary::TableNumber::locations), latest);
  forget_but_latest(tables.regions, definitions_.encoded(binary::TableNumber::regions), latest);
}

Result<void> BinaryWriter::finish(const Tables& tables, const Metadata& metadata) {
  TRY_VOID(flush(tables));
  TRY_VOID(write_metadata(metadata));
  TRY_VOID(blocks_.write(BlockType::end, {}));
  return blocks_.close();
}

}  // namespace heddle
