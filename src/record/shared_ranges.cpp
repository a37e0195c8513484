#include "record/shared_ranges.h"

#include <algorithm>
#include <charconv>

namespace heddle {
namespace {

constexpr std::uint64_t kGranule = 8;

bool read_number(std::string_view& text, char end, std::uint64_t& number) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  const auto used = static_cast<std::size_t>(stop - text.data());
  if (error != std::errc() || used == text.size() || text[used] != end) return false;
  text.remove_prefix(used + 1);
  return true;
}

}  // namespace

void SharedRanges::add(std::uint64_t low, std::uint64_t high) {
  if (!ranges_.empty() && ranges_.back().high == low) {
    ranges_.back().high = high;
    return;
  }
  ranges_.push_back({low, high});
  if (ranges_.size() >= 4 * most_) tidy();
}

void SharedRanges::tidy() {
  std::sort(ranges_.begin(), ranges_.end(),
            [](const wire::Range& a, const wire::Range& b) { return a.low < b.low; });
  for (;; gap_ = gap_ == 0 ? kGranule : gap_ * 2) {
    std::size_t kept = 0;
    for (const wire::Range& range : ranges_) {
      if (kept > 0 && range.low <= ranges_[kept - 1].high + gap_) {
        ranges_[kept - 1].high = std::max(ranges_[kept - 1].high, range.high);
      } else {
        ranges_[kept++] = range;
      }
    }
    ranges_.resize(kept);
    if (kept <= most_) return;
  }
}

const std::vector<wire::Range>& SharedRanges::ranges() {
  tidy();
  return ranges_;
}

std::string text_of(const std::vector<wire::Range>& ranges) {
  std::string text;
  std::uint64_t end = 0;
  for (const wire::Range& range : ranges) {
    fmt::format_to(std::back_inserter(text), "{:x}+{:x} ", (range.low - end) / kGranule,
                   (range.high - range.low) / kGranule);
    end = range.high;
  }
  return text;
}

Result<std::vector<wire::Range>> ranges_of_text(std::string_view text) {
  std::vector<wire::Range> ranges;
  std::uint64_t end = 0;
  while (!text.empty()) {
    std::uint64_t distance = 0;
    std::uint64_t length = 0;
    if (!read_number(text, '+', distance) || !read_number(text, ' ', length)) {
      return make_error("the note 'shared memory' of the trace is damaged; record it again");
    }
    const std::uint64_t low = end + distance * kGranule;
    end = low + length * kGranule;
    ranges.push_back({low, end});
  }
  return ranges;
}

}  // namespace heddle
