#include "model/source.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace heddle::model {
namespace {

constexpr std::size_t kShownWidth = 120;

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// Control characters would break the alignment of the caret, or a terminal.
std::string printable(std::string_view text) {
  std::string shown(text);
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return shown;
}

// Where the comment that starts at `at` ends, or `at` itself if there is none.
std::size_t skip_comment(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  const std::string_view closer = rest.starts_with("//")   ? "\n"
                                  : rest.starts_with("/*") ? "*/"
                                                           : "";
  if (closer.empty()) return at;
  const std::size_t end = rest.find(closer, 2);
  return end == std::string_view::npos ? text.size() : at + end + closer.size();
}

}  // namespace

SourceText::SourceText(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)), line_starts_{0} {
  for (std::uint32_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_starts_.push_back(i + 1);
  }
}

std::string_view SourceText::at(SourceRange range) const {
  return text().substr(range.begin, range.end - range.begin);
}

std::string SourceText::in_one_line(SourceRange range) const {
  const std::string_view text = at(range);
  std::string line;
  bool space = false;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t after = skip_comment(text, i);
    space = space || after > i || is_space(text[i]);
    if (after == i && !is_space(text[i])) {
      if (space && !line.empty()) line += ' ';
      space = false;
      line += text[i];
    }
    i = std::max(after, i + 1);
  }
  return line;
}

std::uint32_t SourceText::line(std::uint32_t offset) const {
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  return static_cast<std::uint32_t>(after - line_starts_.begin());
}

std::uint32_t SourceText::column(std::uint32_t offset) const {
  return offset - line_starts_[line(offset) - 1] + 1;
}

std::string_view SourceText::line_text(std::uint32_t line) const {
  const std::uint32_t begin = line_starts_[line - 1];
  const std::string_view rest = text().substr(begin);
  return rest.substr(0, rest.find_first_of("\r\n"));
}

std::string SourceText::place(SourceRange range) const {
  return fmt::format("{}:{}:{}", name_, line(range.begin), column(range.begin));
}

void Diagnostics::add(SourceRange range, std::string message) {
  Mistake mistake{range, std::move(message)};
  if (full() || std::find(mistakes_.begin(), mistakes_.end(), mistake) != mistakes_.end()) return;
  mistakes_.push_back(std::move(mistake));
}

std::string Diagnostics::show(const Mistake& mistake) const {
  const std::uint32_t begin = mistake.range.begin;
  const std::string_view whole = source_.line_text(source_.line(begin));
  const std::size_t column = std::min<std::size_t>(source_.column(begin) - 1, whole.size());
  const std::size_t first = column > kShownWidth / 2 ? column - kShownWidth / 2 : 0;
  const std::string shown = printable(whole.substr(first, kShownWidth));
  const std::size_t caret = column - first;
  const std::size_t length = mistake.range.end - begin;
  const std::size_t room = shown.size() > caret ? shown.size() - caret : 1;
  const std::string tail(std::clamp<std::size_t>(length, 1, room) - 1, '~');
  return fmt::format("{}: {}\n    {}\n    {}^{}", source_.place(mistake.range), mistake.message,
                     shown, std::string(caret, ' '), tail);
}

Error Diagnostics::error() const {
  std::vector<Mistake> ordered = mistakes_;
  std::stable_sort(ordered.begin(), ordered.end(), [](const Mistake& a, const Mistake& b) {
    return a.range.begin < b.range.begin;
  });
  std::vector<std::string> shown;
  for (const Mistake& mistake : ordered) shown.push_back(show(mistake));
  return Error{fmt::format("{}", fmt::join(shown, "\n"))};
}

}  // namespace heddle::model
