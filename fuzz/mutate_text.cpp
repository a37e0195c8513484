#include "fuzz/mutate_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

namespace heddle::fuzz {
namespace {

using Lines = std::vector<std::string>;

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

void lose_line(Lines& lines, const Lines&, Random& random) {
  lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(random.below(lines.size())));
}

void insert_line(Lines& lines, const Lines& others, Random& random) {
  const auto place = static_cast<std::ptrdiff_t>(random.below(lines.size() + 1));
  lines.insert(lines.begin() + place, others[random.below(others.size())]);
}

void double_line(Lines& lines, const Lines&, Random& random) {
  insert_line(lines, Lines(lines), random);
}

void exchange_lines(Lines& lines, const Lines&, Random& random) {
  std::swap(lines[random.below(lines.size())], lines[random.below(lines.size())]);
}

bool is_digit(char byte) { return std::isdigit(static_cast<unsigned char>(byte)) != 0; }

// The first number behind a random place in a line becomes another one.
void change_number(Lines& lines, const Lines&, Random& random) {
  constexpr std::array<std::string_view, 12> kNumbers = {"0",
                                                         "1",
                                                         "2",
                                                         "-1",
                                                         "3.5",
                                                         "65536",
                                                         "1048576",
                                                         "4294967295",
                                                         "4294967296",
                                                         "9223372036854775808",
                                                         "18446744073709551615",
                                                         "18446744073709551616"};
  std::string& line = lines[random.below(lines.size())];
  const auto place = line.begin() + static_cast<std::ptrdiff_t>(random.below(line.size()));
  const auto first = std::find_if(place, line.end(), is_digit);
  const auto last = std::find_if_not(first, line.end(), is_digit);
  if (first != last) line.replace(first, last, kNumbers[random.below(kNumbers.size())]);
}

constexpr std::array kMutations = {lose_line,      insert_line,   double_line,
                                   exchange_lines, change_number, change_number};

}  // namespace

std::string mutate_text(std::string_view bytes, std::string_view other, Random& random) {
  Lines lines = lines_of(bytes);
  const Lines others = lines_of(other);
  do {
    kMutations[random.below(kMutations.size())](lines, others, random);
  } while (!lines.empty() && random.one_in(2));
  std::string mutated;
  for (const std::string& line : lines) mutated += line;
  return mutated;
}

}  // namespace heddle::fuzz
