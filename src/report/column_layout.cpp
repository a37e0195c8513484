#include "report/column_layout.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace heddle {
namespace {

constexpr std::size_t kWidest = 40;
constexpr std::size_t kGap = 2;

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

// The first `width` characters.
std::string_view first_characters(std::string_view text, std::size_t width) {
  std::size_t i = 0;
  for (std::size_t count = 0; i < text.size(); ++i) {
    if (starts_character(text[i]) && count++ == width) break;
  }
  return text.substr(0, i);
}

// Filled with spaces, or cut, to exactly that width.
std::string pad(std::string_view text, std::size_t width) {
  const std::size_t length = display_width(text);
  if (length <= width) return std::string(text) + std::string(width - length, ' ');
  return cut_to(text, width);
}

}  // namespace

std::string cut_to(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  return std::string(first_characters(text, width - 1)) + "…";
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

std::vector<std::string> fold(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (display_width(text) > width) {
    std::string_view front = first_characters(text, width);
    const std::size_t space = text.substr(0, front.size() + 1).rfind(' ');
    if (space != std::string_view::npos && space > 0) front = text.substr(0, space);
    lines.emplace_back(front);
    text.remove_prefix(front.size());
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  }
  lines.emplace_back(text);
  return lines;
}

ColumnLayout::ColumnLayout(std::vector<Heading> headings, const Widths& widths, Options options)
    : headings_(std::move(headings)), options_(options), number_width_(widths.number) {
  std::size_t wanted = widths.text;
  for (const Heading& heading : headings_) wanted = std::max(wanted, display_width(heading.text));
  const std::size_t taken = number_width_ + kGap + widths.site;
  const std::size_t room = options_.width > taken ? options_.width - taken : 0;
  const std::size_t share = headings_.empty() ? kWidest : room / headings_.size();
  const std::size_t narrowest = std::min(wanted, widths.narrowest);
  stacked_ = widths.stacks && share < narrowest + kGap;
  if (stacked_) {
    column_width_ = std::max(room, widths.narrowest + kGap) - kGap;
  } else {
    const std::size_t fair = share > widths.narrowest + kGap ? share - kGap : widths.narrowest;
    column_width_ = std::min({wanted, fair, kWidest});
  }
}

std::string ColumnLayout::header() const {
  std::string line = fmt::format("{:>{}}  ", "#", number_width_);
  if (stacked_) return line + pad("step", column_width_) + "  site";
  for (std::size_t i = 0; i < headings_.size(); ++i) {
    line += coloured(pad(headings_[i].text, column_width_), i) + "  ";
  }
  return line + "site";
}

std::string ColumnLayout::line(std::string_view number, std::size_t column, std::string_view text,
                               std::string_view site) const {
  return row(number, column, pad(text, column_width_), site);
}

std::vector<std::string> ColumnLayout::folded(std::string_view number, std::size_t column,
                                              std::string_view text, std::string_view site) const {
  const std::string whole =
      stacked_ ? fmt::format("{}: {}", headings_[column].text, text) : std::string(text);
  std::vector<std::string> lines;
  for (const std::string& part : fold(whole, column_width_)) {
    const bool first = lines.empty();
    lines.push_back(row(first ? number : "", column, pad(part, column_width_), first ? site : ""));
    while (lines.back().ends_with(' ')) lines.back().pop_back();
  }
  return lines;
}

std::vector<std::string> ColumnLayout::note(std::string_view text) const {
  const std::size_t indent = number_width_ + kGap;
  const std::size_t room = std::max(options_.width, indent + 20) - indent;
  std::vector<std::string> lines = fold(text, room);
  for (std::string& line : lines) line.insert(0, indent, ' ');
  return lines;
}

std::string ColumnLayout::row(std::string_view number, std::size_t column, const std::string& cell,
                              std::string_view site) const {
  const std::size_t before = stacked_ ? 0 : column;
  const std::size_t after = stacked_ ? 0 : headings_.size() - column - 1;
  std::string line = fmt::format("{:>{}}  ", number, number_width_);
  line.append(before * (column_width_ + kGap), ' ');
  line += coloured(cell, column) + "  ";
  line.append(after * (column_width_ + kGap), ' ');
  return line.append(site);
}

std::string ColumnLayout::coloured(const std::string& text, std::size_t column) const {
  constexpr std::array kColours = {36, 33, 35, 32, 34, 31};
  if (!options_.colour) return text;
  const int colour = kColours[headings_[column].colour % kColours.size()];
  return fmt::format("\x1b[{}m{}\x1b[0m", colour, text);
}

}  // namespace heddle
