#include "trace/binary_format.h"

#include <algorithm>

#include <xxhash.h>

namespace heddle::binary {
namespace {

constexpr std::size_t kHeaderChecksumAt = kBlockHeaderSize - 8;

std::uint8_t* store(std::uint8_t* out, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) *out++ = static_cast<std::uint8_t>(value >> 8 * i);
  return out;
}

// Takes the fields of a header one after the other.
class FieldReader {
 public:
  explicit FieldReader(const std::uint8_t* at) : at_(at) {}
  template <typename T>
  T take() {
    const std::uint64_t value = load_little_endian(at_, sizeof(T));
    at_ += sizeof(T);
    return static_cast<T>(value);
  }

 private:
  const std::uint8_t* at_;
};

}  // namespace

std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::uint64_t load_little_endian(const std::uint8_t* bytes, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value |= std::uint64_t{bytes[i]} << 8 * i;
  return value;
}

std::array<std::uint8_t, kFileHeaderSize> encode_file_header(std::uint16_t major_version,
                                                             std::uint16_t minor_version) {
  std::array<std::uint8_t, kFileHeaderSize> bytes{};
  std::uint8_t* out = std::copy(kMagic.begin(), kMagic.end(), bytes.data());
  out = store(out, major_version, 2);
  out = store(out, minor_version, 2);
  store(out, checksum(std::span(bytes).first<12>()), 4);
  return bytes;
}

std::array<std::uint8_t, kBlockHeaderSize> encode(const BlockHeader& header) {
  std::array<std::uint8_t, kBlockHeaderSize> bytes{};
  std::uint8_t* out = std::copy(kMarker.begin(), kMarker.end(), bytes.data());
  *out++ = static_cast<std::uint8_t>(header.type);
  *out++ = static_cast<std::uint8_t>(header.codec);
  out = store(out, 0, 2);
  out = store(out, header.number, 4);
  out = store(out, header.raw_size, 4);
  out = store(out, header.stored_size, 4);
  out = store(out, header.event_count, 4);
  out = store(out, header.first_event, 8);
  out = store(out, header.payload_checksum, 8);
  store(out, checksum(std::span(bytes).first<kHeaderChecksumAt>()), 8);
  return bytes;
}

std::optional<BlockHeader> decode_block_header(
    std::span<const std::uint8_t, kBlockHeaderSize> bytes) {
  if (!std::equal(kMarker.begin(), kMarker.end(), bytes.begin(),
                  [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; }) ||
      checksum(bytes.first<kHeaderChecksumAt>()) !=
          load_little_endian(&bytes[kHeaderChecksumAt], 8)) {
    return std::nullopt;
  }
  FieldReader fields(&bytes[kMarker.size()]);
  BlockHeader header;
  header.type = static_cast<BlockType>(fields.take<std::uint8_t>());
  header.codec = static_cast<Codec>(fields.take<std::uint8_t>());
  fields.take<std::uint16_t>();
  header.number = fields.take<std::uint32_t>();
  header.raw_size = fields.take<std::uint32_t>();
  header.stored_size = fields.take<std::uint32_t>();
  header.event_count = fields.take<std::uint32_t>();
  header.first_event = fields.take<std::uint64_t>();
  header.payload_checksum = fields.take<std::uint64_t>();
  return header;
}

std::string_view name_of(BlockType type) {
  switch (type) {
    case BlockType::metadata: return "metadata";
    case BlockType::definitions: return "definitions";
    case BlockType::events: return "events";
    case BlockType::end: return "end";
  }
  return "unknown";
}

}  // namespace heddle::binary
