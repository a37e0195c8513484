#include "base/printable.h"

#include <fmt/format.h>

namespace heddle {
namespace {

constexpr std::size_t kMaxPrinted = 60;

constexpr bool in_range(char c, unsigned low, unsigned high) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= low && byte <= high;
}

// The second byte's range excludes overlong forms, surrogates and what is past U+10FFFF
// (Unicode standard, table 3-7).
bool second_byte_fits(char first, char second) {
  const auto lead = static_cast<unsigned char>(first);
  const unsigned low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const unsigned high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  return in_range(second, low, high);
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const char lead = text[0];
  if (in_range(lead, 0, 0x7f)) return 1;
  const std::size_t length = in_range(lead, 0xc2, 0xdf)   ? 2
                             : in_range(lead, 0xe0, 0xef) ? 3
                             : in_range(lead, 0xf0, 0xf4) ? 4
                                                          : 0;
  if (length == 0 || text.size() < length || !second_byte_fits(lead, text[1])) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (!in_range(text[i], 0x80, 0xbf)) return 0;
  }
  return length;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string printable(std::string_view text) {
  std::string out = "'";
  std::size_t used = 0;
  while (used < text.size() && used < kMaxPrinted) {
    const std::size_t length = utf8_length(text.substr(used));
    const char c = text[used];
    if (length == 0 || in_range(c, 0, 0x1f) || c == 0x7f) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
      ++used;
    } else {
      out += text.substr(used, length);
      used += length;
    }
  }
  out += used < text.size() ? "...'" : "'";
  return out;
}

}  // namespace heddle
