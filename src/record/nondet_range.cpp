#include "record/nondet_range.h"

#include <charconv>

namespace heddle {
namespace {

constexpr std::int64_t kMostValues = std::int64_t{1} << 16;
constexpr std::int64_t kFarthest = std::int64_t{1} << 62;

bool read_number(std::string_view text, std::int64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

Result<NondetRange> nondet_range_in(std::string_view text) {
  const std::size_t dots = text.find("..");
  NondetRange range;
  if (dots == std::string_view::npos || !read_number(text.substr(0, dots), range.low) ||
      !read_number(text.substr(dots + 2), range.high)) {
    return make_error("'{}' is no range of values; write LOW..HIGH, as in 0..3", text);
  }
  const bool far = range.low < -kFarthest || range.high > kFarthest;
  if (range.low > range.high || far || range.high - range.low >= kMostValues) {
    return make_error("the range {} holds no values, or more than {}", text, kMostValues);
  }
  return range;
}

std::string text_of(const NondetRange& range) {
  return fmt::format("{}..{}", range.low, range.high);
}

}  // namespace heddle
