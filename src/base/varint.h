// Numbers in as few bytes as they need: LEB128 and zigzag.
//
// A varint holds seven bits per byte, lowest first; the top bit says that another byte
// follows. Small numbers are the rule, so the one-byte case is inline and the rest out
// of the way. zigzag maps numbers of small magnitude, 0 -1 1 -2 ..., to small numbers.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace heddle {

// The most bytes that a varint of type T takes.
template <std::unsigned_integral T>
inline constexpr std::size_t kMaxVarint = (std::numeric_limits<T>::digits + 6) / 7;

// Writes to `out`, where there must be room for kMaxVarint<T> bytes; returns the end.
template <std::unsigned_integral T>
inline std::uint8_t* put_varint(std::uint8_t* out, T value) {
  while (value >= 0x80) [[unlikely]] {
      *out++ = static_cast<std::uint8_t>(value | 0x80);
      value >>= 7;
    }
  *out++ = static_cast<std::uint8_t>(value);
  return out;
}

template <std::unsigned_integral T>
bool get_long_varint(const std::uint8_t*& at, const std::uint8_t* end, T& value) {
  value = 0;
  for (int shift = 0; shift < std::numeric_limits<T>::digits && at != end; shift += 7) {
    const T bits = *at & 0x7f;
    if (static_cast<T>(bits << shift) >> shift != bits) return false;
    value |= static_cast<T>(bits << shift);
    if (*at++ < 0x80) return true;
  }
  return false;
}

// Reads from `at` and moves it past the varint; false when the bytes end first or the
// number does not fit into T.
template <std::unsigned_integral T>
[[nodiscard]] inline bool get_varint(const std::uint8_t*& at, const std::uint8_t* end, T& value) {
  if (at != end && *at < 0x80) [[likely]] {
    value = *at++;
    return true;
  }
  return get_long_varint(at, end, value);
}

// For differences modulo 2^32 or 2^64: takes and gives the two's complement.
template <std::unsigned_integral T>
constexpr T zigzag(T difference) {
  constexpr int kSignBit = std::numeric_limits<T>::digits - 1;
  return static_cast<T>(difference << 1) ^ static_cast<T>(0 - (difference >> kSignBit));
}

template <std::unsigned_integral T>
constexpr T unzigzag(T code) {
  return static_cast<T>(code >> 1) ^ static_cast<T>(0 - (code & 1));
}

}  // namespace heddle
