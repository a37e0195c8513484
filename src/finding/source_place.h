// A place in a source, as findings name it: "bank.cpp:12" or "bank.hm:12:3".
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heddle {

struct SourcePlace {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;  // 0: not known
};

// The number after the last colon, which is cut off together with it; 0: there is none.
inline std::uint32_t cut_number(std::string_view& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == text.size()) return 0;
  std::uint32_t number = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data() + colon + 1, end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end) return 0;
  text.remove_suffix(text.size() - colon);
  return number;
}

inline std::optional<SourcePlace> parse_place(std::string_view site) {
  const std::uint32_t last = cut_number(site);
  if (last == 0 || site.empty()) return std::nullopt;
  const std::uint32_t first = cut_number(site);
  if (first == 0) return SourcePlace{std::string(site), last, 0};
  return SourcePlace{std::string(site), first, last};
}

}  // namespace heddle
