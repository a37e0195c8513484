// Numbers and texts one after the other: how the table-like payloads are put together.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/index.h"
#include "base/varint.h"
#include "trace/binary_format.h"

namespace heddle::binary {

class PayloadWriter {
 public:
  explicit PayloadWriter(std::vector<std::uint8_t>& bytes) : bytes_(bytes) {}

  void number(std::uint64_t value) {
    if (value < 0x80) return bytes_.push_back(static_cast<std::uint8_t>(value));
    std::array<std::uint8_t, kMaxVarint<std::uint64_t>> room;
    bytes_.insert(bytes_.end(), room.data(), put_varint(room.data(), value));
  }
  // An index as its number plus one, so that 0 is "none".
  template <typename Tag>
  void index(Index<Tag> index) {
    number(index.value() + 1);
  }
  void text(std::string_view text) {
    number(text.size());
    bytes_.insert(bytes_.end(), text.begin(), text.end());
  }

 private:
  std::vector<std::uint8_t>& bytes_;
};

// Each function is false when the payload ends too early or the number is too large.
class PayloadReader {
 public:
  // `version` is the file's major one.
  explicit PayloadReader(std::span<const std::uint8_t> bytes, std::uint16_t version = kMajorVersion)
      : at_(bytes.data()), end_(bytes.data() + bytes.size()), version_(version) {}

  bool at_end() const { return at_ == end_; }
  std::uint16_t version() const { return version_; }

  template <std::unsigned_integral T>
  [[nodiscard]] bool number(T& value) {
    return get_varint(at_, end_, value);
  }
  template <typename Tag>
  [[nodiscard]] bool index(Index<Tag>& index) {
    std::uint32_t code = 0;
    if (!number(code)) return false;
    index = Index<Tag>(code - 1);
    return true;
  }
  [[nodiscard]] bool bytes(std::span<const std::uint8_t>& part) {
    std::uint64_t size = 0;
    if (!number(size) || size > static_cast<std::uint64_t>(end_ - at_)) return false;
    part = {at_, static_cast<std::size_t>(size)};
    at_ += size;
    return true;
  }
  [[nodiscard]] bool text(std::string_view& text) {
    std::span<const std::uint8_t> part;
    if (!bytes(part)) return false;
    text = {reinterpret_cast<const char*>(part.data()), part.size()};
    return true;
  }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
  std::uint16_t version_;
};

}  // namespace heddle::binary
