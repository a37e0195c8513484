#include "trace/binary_blocks.h"

#include <algorithm>
#include <cstring>

#include <zstd.h>

#include "base/check.h"

namespace heddle::binary {
namespace {

// The columns of events are mostly zeros: a higher level gains a few per cent at several times
// the cost. Names are worth it. They come early; where definitions go on and on, they are of
// locations, which come as fast as events.
constexpr std::uint64_t kNames = std::uint64_t{1} << 20;
int compression_level(BlockType type, std::uint64_t definition_bytes) {
  return type == BlockType::events || definition_bytes > kNames ? 1 : 6;
}

// How much is read from the input at a time.
constexpr std::size_t kChunk = std::size_t{1} << 16;

bool is_known(BlockType type) { return type >= BlockType::metadata && type <= BlockType::end; }

}  // namespace

BlockWriter::BlockWriter(std::unique_ptr<Output> output)
    : output_(std::move(output)), context_(ZSTD_createCCtx()) {
  CHECK(context_ != nullptr);
}

BlockWriter::~BlockWriter() { ZSTD_freeCCtx(context_); }

Result<void> BlockWriter::write_file_header() { return put(encode_file_header()); }

Result<void> BlockWriter::write(BlockType type, std::span<const std::uint8_t> payload,
                                std::size_t event_count) {
  if (payload.size() > kMaxPayload) {
    return make_error("{} bytes are too much for a block of {}", payload.size(), name_of(type));
  }
  BlockHeader header;
  header.type = type;
  header.number = block_count_;
  header.raw_size = static_cast<std::uint32_t>(payload.size());
  header.event_count = static_cast<std::uint32_t>(event_count);
  header.first_event = event_count_;
  if (type != BlockType::events) definition_bytes_ += payload.size();
  const int level = compression_level(type, definition_bytes_);
  header.stored_size = static_cast<std::uint32_t>(compress(payload, level));
  header.codec = header.stored_size < header.raw_size ? Codec::zstd : Codec::raw;
  header.payload_checksum =
      checksum(std::span(block_).subspan(kBlockHeaderSize, header.stored_size));
  const auto bytes = encode(header);
  std::copy(bytes.begin(), bytes.end(), block_.begin());
  TRY_VOID(put(std::span(block_).first(kBlockHeaderSize + header.stored_size)));
  ++block_count_;
  event_count_ += event_count;
  return {};
}

// Puts what is to be stored behind the room for the header, and gives its size.
std::size_t BlockWriter::compress(std::span<const std::uint8_t> payload, int level) {
  const std::size_t room = std::max(payload.size(), ZSTD_compressBound(payload.size()));
  if (block_.size() < kBlockHeaderSize + room) block_.resize(kBlockHeaderSize + room);
  std::uint8_t* const out = block_.data() + kBlockHeaderSize;
  const std::size_t size =
      ZSTD_compressCCtx(context_, out, room, payload.data(), payload.size(), level);
  if (ZSTD_isError(size) == 0 && size < payload.size()) return size;
  std::copy(payload.begin(), payload.end(), out);
  return payload.size();
}

Result<void> BlockWriter::put(std::span<const std::uint8_t> bytes) {
  if (failed_) return make_error("an earlier write to the trace file failed");
  auto result = output_->write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  failed_ = !result.ok();
  bytes_written_ += bytes.size();
  return result;
}

Result<void> BlockWriter::close() { return output_->close(); }

Result<std::span<const std::uint8_t>> InputWindow::peek(std::size_t size) {
  bool at_end = false;
  while (end_ - begin_ < size && !at_end) {
    if (begin_ > 0) {
      std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
      end_ -= std::exchange(begin_, 0);
    }
    if (buffer_.size() < end_ + kChunk) buffer_.resize(std::max(end_ + kChunk, 2 * buffer_.size()));
    TRY(const std::size_t got,
        input_->read({reinterpret_cast<char*>(buffer_.data()) + end_, kChunk}));
    end_ += got;
    at_end = got < kChunk;
  }
  return std::span<const std::uint8_t>(buffer_.data() + begin_, std::min(size, end_ - begin_));
}

void InputWindow::skip(std::size_t size) {
  CHECK(size <= end_ - begin_);
  begin_ += size;
  offset_ += size;
}

BlockReader::BlockReader(std::unique_ptr<Input> input)
    : window_(std::move(input)), context_(ZSTD_createDCtx()) {
  CHECK(context_ != nullptr);
}

BlockReader::~BlockReader() { ZSTD_freeDCtx(context_); }

Result<void> BlockReader::read_file_header() {
  TRY(const auto bytes, window_.peek(kFileHeaderSize));
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.empty()) return make_error("{}: the file is empty", name());
  if (!text.starts_with(kMagic.substr(0, std::min(text.size(), kMagic.size())))) {
    return make_error("{}: not a binary Heddle trace", name());
  }
  if (bytes.size() < kFileHeaderSize) {
    return make_error("{}: cut off inside the file header; nothing to recover", name());
  }
  const auto major_version = static_cast<std::uint16_t>(load_little_endian(&bytes[8], 2));
  const auto minor_version = static_cast<std::uint16_t>(load_little_endian(&bytes[10], 2));
  const auto intact = encode_file_header(major_version, minor_version);
  if (!std::equal(intact.begin(), intact.end(), bytes.begin())) {
    return make_error("{}: the file header is damaged", name());
  }
  if (major_version < kOldestMajorVersion || major_version > kMajorVersion) {
    return make_error(
        "{}: written in version {}.{} of the trace format; this Heddle reads {}.x to {}.x{}",
        name(), major_version, minor_version, kOldestMajorVersion, kMajorVersion,
        major_version > kMajorVersion ? ": use a newer Heddle" : "");
  }
  version_ = major_version;
  window_.skip(kFileHeaderSize);
  return {};
}

Result<bool> BlockReader::at_end() {
  TRY(const auto bytes, window_.peek(1));
  return bytes.empty();
}

Result<Block> BlockReader::next() {
  TRY(const auto start, window_.peek(kBlockHeaderSize));
  if (start.size() < kBlockHeaderSize) return make_error("it is cut off inside its header");
  const auto header = decode_block_header(start.first<kBlockHeaderSize>());
  if (!header) return make_error("its header is damaged");
  TRY_VOID(check(*header));
  TRY(const auto whole, window_.peek(kBlockHeaderSize + header->stored_size));
  const auto stored = whole.subspan(kBlockHeaderSize);
  if (stored.size() < header->stored_size) {
    return make_error("it is cut off after {} of {} bytes", stored.size(), header->stored_size);
  }
  if (checksum(stored) != header->payload_checksum) return make_error("its checksum is wrong");
  TRY(const auto payload, unpack(*header, stored));
  window_.skip(kBlockHeaderSize + header->stored_size);
  ++block_count_;
  event_count_ += header->event_count;
  return Block{*header, payload};
}

Result<void> BlockReader::check(const BlockHeader& header) const {
  const auto type = static_cast<unsigned>(header.type);
  if (!is_known(header.type) && type < kFirstSkippableType) {
    return make_error("it is of the unknown type {}", type);
  }
  if (header.number != block_count_ || header.first_event != event_count_) {
    return make_error("it is block {} starting at event {} where block {} at event {} belongs",
                      header.number, header.first_event, block_count_, event_count_);
  }
  if (header.raw_size > kMaxPayload || header.stored_size > header.raw_size) {
    return make_error("it claims {} bytes stored as {}", header.raw_size, header.stored_size);
  }
  if (header.event_count > (header.type == BlockType::events ? kBlockEvents : 0)) {
    return make_error("it claims {} events", header.event_count);
  }
  return {};
}

Result<std::span<const std::uint8_t>> BlockReader::unpack(const BlockHeader& header,
                                                          std::span<const std::uint8_t> stored) {
  if (header.codec == Codec::raw && header.stored_size == header.raw_size) return stored;
  if (header.codec != Codec::zstd) {
    return make_error("it uses codec {} for {} bytes stored as {}",
                      static_cast<unsigned>(header.codec), header.raw_size, header.stored_size);
  }
  raw_.resize(header.raw_size);
  const std::size_t size =
      ZSTD_decompressDCtx(context_, raw_.data(), header.raw_size, stored.data(), stored.size());
  if (ZSTD_isError(size) != 0 || size != header.raw_size) {
    return make_error("its compressed data is malformed");
  }
  return std::span<const std::uint8_t>(raw_.data(), size);
}

// Moves to the next marker; false when there is none before the end.
bool BlockReader::find_marker() {
  for (;;) {
    const auto bytes = window_.peek(kChunk);
    if (!bytes.ok()) return false;
    const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    const std::size_t found = text.find(kMarker);
    if (found != std::string_view::npos) {
      window_.skip(found);
      return true;
    }
    const bool last = text.size() < kChunk;
    window_.skip(last ? text.size() : text.size() - kMarker.size() + 1);
    if (last) return false;
  }
}

Rest BlockReader::survey() {
  Rest rest;
  const std::uint64_t first = offset();
  while (find_marker()) {
    const auto bytes = window_.peek(kBlockHeaderSize);
    if (bytes.ok() && bytes->size() == kBlockHeaderSize) {
      if (const auto header = decode_block_header(bytes->first<kBlockHeaderSize>())) {
        ++rest.blocks;
        rest.last_event = std::max(rest.last_event, header->first_event + header->event_count);
      }
    }
    window_.skip(kMarker.size());
  }
  rest.bytes = offset() - first;
  return rest;
}

}  // namespace heddle::binary
