// The text of a model file, and what is wrong with it.
//
// Everything that is parsed remembers its SourceRange, bytes of the text. Diagnostics
// collects mistakes and shows each with its place, its line and a caret:
//
//   peterson.hm:12:10: unknown name 'flga'; did you mean 'flag'?
//       while (flga[1]) {
//              ^~~~
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace heddle::model {

struct SourceRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  friend bool operator==(SourceRange, SourceRange) = default;
};

class SourceText {
 public:
  // A text longer than kMaxLength must be refused before it gets here.
  SourceText(std::string name, std::string text);
  static constexpr std::size_t kMaxLength = std::size_t{1} << 24;

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  std::string_view at(SourceRange range) const;
  // The same on one line: white space, comments included, as single spaces.
  std::string in_one_line(SourceRange range) const;

  std::uint32_t line(std::uint32_t offset) const;    // from 1
  std::uint32_t column(std::uint32_t offset) const;  // from 1, in bytes
  std::string_view line_text(std::uint32_t line) const;
  std::string place(SourceRange range) const;  // "file:line:column"

 private:
  std::string name_;
  std::string text_;
  std::vector<std::uint32_t> line_starts_;
};

class Diagnostics {
 public:
  explicit Diagnostics(const SourceText& source) : source_(source) {}

  // The same mistake in the same place is said once.
  void add(SourceRange range, std::string message);
  bool empty() const { return mistakes_.empty(); }
  bool full() const { return mistakes_.size() >= kMaxMistakes; }
  // All mistakes, in the order of the text.
  Error error() const;

 private:
  static constexpr std::size_t kMaxMistakes = 20;
  struct Mistake {
    SourceRange range;
    std::string message;
    friend bool operator==(const Mistake&, const Mistake&) = default;
  };
  std::string show(const Mistake& mistake) const;

  const SourceText& source_;
  std::vector<Mistake> mistakes_;
};

}  // namespace heddle::model
