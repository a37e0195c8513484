// The binary trace file (.heddle) on disk: magic, version, block headers, limits.
//
//   file   = file header, block*
//   block  = block header, payload (stored_size bytes)
//
// Blocks are appended whole and never changed, so whatever a dying process has written
// so far can be read. A header has a checksum of its own: after damage a reader can
// find the next sound header and say how much it leaves behind. All numbers are
// little-endian. docs/trace-format.md is this file in prose, with the payloads; change
// both together, and the version.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace heddle::binary {

// A reader refuses a newer major version and reads a newer minor one: what a minor
// version may add is blocks and metadata fields that can be skipped.
inline constexpr std::uint16_t kMajorVersion = 3;
inline constexpr std::uint16_t kMinorVersion = 0;
inline constexpr std::uint16_t kOldestMajorVersion = 1;  // that is still read
inline constexpr std::uint16_t kFirstWithNumberedRegions = 2;
inline constexpr std::uint16_t kFirstWithLocationRows = 3;
inline constexpr std::uint16_t kFirstWithValuesOfPlaces = 3;

// No text and no other format starts like this; a transfer that changes line ends or
// strips the eighth bit breaks it.
inline constexpr std::string_view kMagic = "\x89HEDDLE\n";

// magic (8), major (2), minor (2), low half of XXH3-64 of the bytes before (4).
inline constexpr std::size_t kFileHeaderSize = 16;

inline constexpr std::string_view kMarker = "\xb1HB\n";

enum class BlockType : std::uint8_t {
  metadata = 1,
  definitions = 2,
  events = 3,
  end = 4,
};
// A type from here on may be skipped by a reader that does not know it.
inline constexpr std::uint8_t kFirstSkippableType = 128;

enum class Codec : std::uint8_t { raw = 0, zstd = 1 };

struct BlockHeader {
  BlockType type = BlockType::end;
  Codec codec = Codec::raw;
  std::uint32_t number = 0;            // of the block in the file, from 0
  std::uint32_t raw_size = 0;          // of the payload, uncompressed
  std::uint32_t stored_size = 0;       // of the payload in the file
  std::uint32_t event_count = 0;       // in this block
  std::uint64_t first_event = 0;       // events in all blocks before
  std::uint64_t payload_checksum = 0;  // XXH3-64 of the stored payload
  friend bool operator==(const BlockHeader&, const BlockHeader&) = default;
};

// marker (4), type (1), codec (1), zero (2), number (4), raw size (4), stored size (4),
// event count (4), first event (8), payload checksum (8), XXH3-64 of all before (8).
inline constexpr std::size_t kBlockHeaderSize = 48;

// What a writer aims at ...
inline constexpr std::size_t kBlockEvents = std::size_t{1} << 16;
inline constexpr std::size_t kDefinitionBytes = std::size_t{1} << 18;
// ... and what a reader puts up with, so that no file can exhaust its memory.
inline constexpr std::size_t kMaxPayload = std::size_t{1} << 24;
inline constexpr std::size_t kBlockLocations = std::size_t{1}
                                               << 16;  // since a few bytes define many
inline constexpr std::size_t kMaxTableBytes = std::size_t{1} << 32;

std::array<std::uint8_t, kFileHeaderSize> encode_file_header(
    std::uint16_t major_version = kMajorVersion, std::uint16_t minor_version = kMinorVersion);

std::array<std::uint8_t, kBlockHeaderSize> encode(const BlockHeader& header);
// Nothing when the marker or the checksum is not right.
std::optional<BlockHeader> decode_block_header(
    std::span<const std::uint8_t, kBlockHeaderSize> bytes);

std::uint64_t checksum(std::span<const std::uint8_t> bytes);
std::uint64_t load_little_endian(const std::uint8_t* bytes, std::size_t size);

std::string_view name_of(BlockType type);

}  // namespace heddle::binary
