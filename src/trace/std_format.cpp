#include "trace/std_format.h"

#include <array>
#include <charconv>
#include <utility>

#include <absl/container/flat_hash_map.h>

namespace heddle {
namespace {

// What other tools call the ops.
constexpr std::array<std::pair<std::string_view, EventKind>, 4> kOtherNames = {{
    {"rd", EventKind::read},
    {"wr", EventKind::write},
    {"notifyAll", EventKind::notify_all},
    {"broadcast", EventKind::notify_all},
}};

absl::flat_hash_map<std::string_view, EventKind> make_op_index() {
  absl::flat_hash_map<std::string_view, EventKind> index(kOtherNames.begin(), kOtherNames.end());
  for (const EventKindInfo& row : kEventKinds) index.emplace(row.std_name, row.kind);
  return index;
}

const absl::flat_hash_map<std::string_view, EventKind>& op_index() {
  static const auto index = make_op_index();
  return index;
}

constexpr bool always_escaped(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= ' ' || byte == 0x7f || c == '|';
}

constexpr bool sometimes_escaped(char c) { return c == ',' || c == '#' || c == '%'; }

constexpr int hexadecimal_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The byte that the escape at the front of `text` stands for, if one stands there.
std::optional<char> escape_at_front(std::string_view text) {
  if (text.size() < 3 || text[0] != '%') return std::nullopt;
  const int high = hexadecimal_digit(text[1]);
  const int low = hexadecimal_digit(text[2]);
  if (high < 0 || low < 0) return std::nullopt;
  const char byte = static_cast<char>(high << 4 | low);
  if (!always_escaped(byte) && !sometimes_escaped(byte)) return std::nullopt;
  return byte;
}

template <typename T>
std::optional<T> parse_whole(std::string_view text, int base) {
  T number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, base);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

}  // namespace

std::optional<EventKind> std_op_named(std::string_view name) {
  if (name == "r") return EventKind::read;  // nine lines of ten
  if (name == "w") return EventKind::write;
  const auto found = op_index().find(name);
  return found != op_index().end() ? std::optional(found->second) : std::nullopt;
}

std::vector<std::string> std_op_names() {
  std::vector<std::string> names;
  for (const EventKindInfo& row : kEventKinds) names.emplace_back(row.std_name);
  for (const auto& other : kOtherNames) names.emplace_back(other.first);
  return names;
}

void append_std_escape(std::string& out, char byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto number = static_cast<unsigned char>(byte);
  out += '%';
  out += kDigits[number >> 4];
  out += kDigits[number & 15];
}

void append_std_escaped(std::string& out, std::string_view name) {
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (always_escaped(name[i]) || escape_at_front(name.substr(i))) {
      append_std_escape(out, name[i]);
    } else {
      out += name[i];
    }
  }
}

std::string std_unescaped(std::string_view text) {
  std::string name;
  while (!text.empty()) {
    const std::optional<char> escaped = escape_at_front(text);
    name += escaped.value_or(text.front());
    text.remove_prefix(escaped ? 3 : 1);
  }
  return name;
}

std::optional<std::uint64_t> parse_std_number(std::string_view text) {
  if (text.starts_with("0x")) return parse_whole<std::uint64_t>(text.substr(2), 16);
  if (text.starts_with('-')) {
    const auto negative = parse_whole<std::int64_t>(text, 10);
    return negative ? std::optional(static_cast<std::uint64_t>(*negative)) : std::nullopt;
  }
  return parse_whole<std::uint64_t>(text, 10);
}

std::optional<std::uint32_t> parse_std_count(std::string_view text) {
  if (text.empty() || text[0] < '0' || text[0] > '9') return std::nullopt;
  if (text[0] == '0' && text.size() > 1) return std::nullopt;
  return parse_whole<std::uint32_t>(text, 10);
}

StdAccess split_std_access(std::string_view operand) {
  const StdAccess whole{operand, 1, std::nullopt};
  if (operand.find(',') == std::string_view::npos) return whole;
  const std::size_t second = operand.rfind(',');
  if (second == 0) return whole;
  const std::size_t first = operand.rfind(',', second - 1);
  if (first == std::string_view::npos) return whole;
  const auto value = parse_std_number(std_trimmed(operand.substr(second + 1)));
  const std::string_view size_text = std_trimmed(operand.substr(first + 1, second - first - 1));
  const auto size = size_text.empty() ? std::optional(1u) : parse_std_count(size_text);
  if (!value || !size) return whole;
  return {std_trimmed(operand.substr(0, first)), *size, value};
}

}  // namespace heddle
