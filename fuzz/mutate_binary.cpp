#include "fuzz/mutate_binary.h"

#include <array>
#include <vector>

#include <zstd.h>

#include "base/check.h"
#include "trace/binary_blocks.h"

namespace heddle::fuzz {
namespace {

using binary::BlockHeader;
using binary::BlockType;
using binary::Codec;

struct OpenBlock {
  BlockHeader header;
  std::string payload;  // uncompressed
};
using Blocks = std::vector<OpenBlock>;

Blocks take_apart(std::string_view bytes) {
  Blocks blocks;
  binary::BlockReader reader(*Input::from_memory(bytes, "fuzz"));
  CHECK(reader.read_file_header().ok());
  for (auto block = reader.next(); block.ok(); block = reader.next()) {
    blocks.push_back({block->header, std::string(block->payload.begin(), block->payload.end())});
  }
  return blocks;
}

std::span<const std::uint8_t> as_bytes(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string compressed(const std::string& raw) {
  std::string stored(ZSTD_compressBound(raw.size()), '\0');
  stored.resize(ZSTD_compress(stored.data(), stored.size(), raw.data(), raw.size(), 1));
  return stored;
}

void append(std::string& bytes, std::span<const std::uint8_t> more) {
  bytes.append(reinterpret_cast<const char*>(more.data()), more.size());
}

void append_block(std::string& bytes, const OpenBlock& block) {
  BlockHeader header = block.header;
  header.raw_size = static_cast<std::uint32_t>(block.payload.size());
  std::string stored = block.payload;
  if (header.codec == Codec::zstd) stored = compressed(block.payload);
  header.stored_size = static_cast<std::uint32_t>(stored.size());
  header.payload_checksum = binary::checksum(as_bytes(stored));
  append(bytes, encode(header));
  bytes += stored;
}

std::string put_together(Blocks blocks) {
  std::string bytes;
  append(bytes, binary::encode_file_header());
  std::uint32_t number = 0;
  std::uint64_t events = 0;
  for (OpenBlock& block : blocks) {
    block.header.number = number++;
    block.header.first_event = events;
    events += block.header.event_count;
    append_block(bytes, block);
  }
  return bytes;
}

void change_payload(Blocks& blocks, const Blocks& others, Random& random) {
  OpenBlock& block = blocks[random.below(blocks.size())];
  const OpenBlock& other = others[random.below(others.size())];
  block.payload = mutate(block.payload, other.payload, random);
}

void exchange_payload(Blocks& blocks, const Blocks& others, Random& random) {
  blocks[random.below(blocks.size())].payload = others[random.below(others.size())].payload;
}

void lose_block(Blocks& blocks, const Blocks&, Random& random) {
  blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(random.below(blocks.size())));
}

void insert_block(Blocks& blocks, const Blocks& others, Random& random) {
  const auto place = static_cast<std::ptrdiff_t>(random.below(blocks.size() + 1));
  blocks.insert(blocks.begin() + place, others[random.below(others.size())]);
}

void double_block(Blocks& blocks, const Blocks&, Random& random) {
  insert_block(blocks, Blocks(blocks), random);
}

void exchange_blocks(Blocks& blocks, const Blocks&, Random& random) {
  std::swap(blocks[random.below(blocks.size())], blocks[random.below(blocks.size())]);
}

void change_header(Blocks& blocks, const Blocks&, Random& random) {
  BlockHeader& header = blocks[random.below(blocks.size())].header;
  constexpr std::array<std::uint32_t, 6> kCounts = {0, 1, 2, 0xffff, 0x10000, 0xffffffff};
  switch (random.below(4)) {
    case 0: header.type = static_cast<BlockType>(random.below(6)); break;
    case 1: header.codec = static_cast<Codec>(random.below(3)); break;
    case 2: header.event_count += static_cast<std::uint32_t>(random.below(3)) - 1; break;
    default: header.event_count = kCounts[random.below(kCounts.size())];
  }
}

// Compresses to next to nothing and unpacks to a lot.
void make_bomb(Blocks& blocks, const Blocks&, Random& random) {
  if (!random.one_in(50)) return;
  OpenBlock& block = blocks[random.below(blocks.size())];
  const std::size_t size = std::size_t{1} << random.below(25);
  block.payload.append(size, random.one_in(2) ? '\0' : '\x01');
  block.header.codec = Codec::zstd;
}

constexpr std::array kMutations = {change_payload,   change_payload, change_payload, change_payload,
                                   exchange_payload, lose_block,     insert_block,   double_block,
                                   exchange_blocks,  change_header,  make_bomb};

}  // namespace

std::string mutate_binary(std::string_view bytes, std::string_view other, Random& random) {
  Blocks blocks = take_apart(bytes);
  const Blocks others = take_apart(other);
  do {
    kMutations[random.below(kMutations.size())](blocks, others, random);
  } while (!blocks.empty() && random.one_in(3));
  return put_together(std::move(blocks));
}

}  // namespace heddle::fuzz
