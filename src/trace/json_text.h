// Pieces of JSON, appended to a string: what a writer of JSON lines needs.
//
// JSON text is Unicode, but names in a trace are bytes. A string that is not well-formed
// UTF-8 is written as {"hex":"..."}, its bytes as hexadecimal digits.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace heddle {

void append_json_string(std::string& out, std::string_view bytes);

// One object, field by field, on one line:
//   JsonLine line(out); line.number("thread", 0); line.string("name", "main");
class JsonLine {
 public:
  explicit JsonLine(std::string& out, std::string_view end = "}\n") : out_(out), end_(end) {
    out_ += '{';
  }
  ~JsonLine() { out_ += end_; }
  JsonLine(const JsonLine&) = delete;
  JsonLine& operator=(const JsonLine&) = delete;

  // The key alone, for a value that the caller appends.
  void key(std::string_view key);
  void number(std::string_view key, std::uint64_t value);
  void word(std::string_view key, std::string_view plain_text);
  void string(std::string_view key, std::string_view bytes);
  void strings(std::string_view key, std::span<const std::string> strings);
  void yes(std::string_view key);

 private:
  std::string& out_;
  std::string_view end_;
  bool first_ = true;
};

}  // namespace heddle
