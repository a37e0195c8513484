#include "trace/json_text.h"

#include <array>
#include <charconv>

#include "base/printable.h"

namespace heddle {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

void append_hexadecimal(std::string& out, std::string_view bytes) {
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
}

void append_escaped(std::string& out, char c) {
  if (c == '"' || c == '\\') {
    out += '\\';
    out += c;
  } else {
    out += "\\u00";
    append_hexadecimal(out, {&c, 1});
  }
}

constexpr bool needs_escape(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\' || c == 0x7f;
}

}  // namespace

void append_json_string(std::string& out, std::string_view bytes) {
  if (!is_utf8(bytes)) {
    out += R"({"hex":")";
    append_hexadecimal(out, bytes);
    out += R"("})";
    return;
  }
  out += '"';
  for (const char c : bytes) {
    if (needs_escape(c)) {
      append_escaped(out, c);
    } else {
      out += c;
    }
  }
  out += '"';
}

void JsonLine::key(std::string_view key) {
  if (!first_) out_ += ',';
  first_ = false;
  out_ += '"';
  out_ += key;
  out_ += "\":";
}

void JsonLine::number(std::string_view key, std::uint64_t value) {
  this->key(key);
  std::array<char, 24> digits;
  char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out_.append(digits.data(), end);
}

void JsonLine::word(std::string_view key, std::string_view plain_text) {
  this->key(key);
  out_ += '"';
  out_ += plain_text;
  out_ += '"';
}

void JsonLine::string(std::string_view key, std::string_view bytes) {
  this->key(key);
  append_json_string(out_, bytes);
}

void JsonLine::strings(std::string_view key, std::span<const std::string> strings) {
  this->key(key);
  out_ += '[';
  std::string_view separator;
  for (const std::string& string : strings) {
    out_ += separator;
    append_json_string(out_, string);
    separator = ",";
  }
  out_ += ']';
}

void JsonLine::yes(std::string_view key) {
  this->key(key);
  out_ += "true";
}

}  // namespace heddle
