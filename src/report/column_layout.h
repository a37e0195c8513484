// Text in columns, one per thread: a number in front, a site behind.
//
//     #  main        worker      site
//     0  fork worker             bank.cpp:40
//     1              acquire m   bank.cpp:12
//
// The columns share the width that numbers and sites leave. Text that does not fit its
// column is cut with an ellipsis, or folded onto further lines. Where the columns would
// become too narrow to be read, they are stacked: one column, each text after its heading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

class ColumnLayout {
 public:
  struct Options {
    std::size_t width = 100;  // of a whole line
    bool colour = false;
  };
  struct Heading {
    std::string text;
    std::uint32_t colour = 0;  // which of the colours, over and over again
  };
  // What has to fit, in characters; a heading's own width need not be counted.
  struct Widths {
    std::size_t number = 1;
    std::size_t text = 0;
    std::size_t site = 24;
    std::size_t narrowest = 8;  // of a column
    bool stacks = false;        // rather than going beyond the line
  };

  ColumnLayout(std::vector<Heading> headings, const Widths& widths, Options options);

  std::string header() const;
  // One line, what is too long cut off.
  std::size_t column_width() const { return column_width_; }
  std::string line(std::string_view number, std::size_t column, std::string_view text,
                   std::string_view site) const;
  // The same on as many lines as it takes.
  std::vector<std::string> folded(std::string_view number, std::size_t column,
                                  std::string_view text, std::string_view site) const;
  // Text across all columns, on as many lines as it takes.
  std::vector<std::string> note(std::string_view text) const;

 private:
  std::string row(std::string_view number, std::size_t column, const std::string& cell,
                  std::string_view site) const;
  std::string coloured(const std::string& text, std::size_t column) const;

  std::vector<Heading> headings_;
  Options options_;
  std::size_t number_width_;
  std::size_t column_width_ = 0;
  bool stacked_ = false;
};

// The number of characters, not bytes, of UTF-8 text.
std::size_t display_width(std::string_view text);
// The text, cut with an ellipsis where it is longer.
std::string cut_to(std::string_view text, std::size_t width);
// The text on lines of at most that width, broken at spaces where there are any.
std::vector<std::string> fold(std::string_view text, std::size_t width);

}  // namespace heddle
