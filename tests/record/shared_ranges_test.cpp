#include "record/shared_ranges.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"

namespace heddle {
namespace {

std::set<std::uint64_t> granules_in(const std::vector<wire::Range>& ranges) {
  std::set<std::uint64_t> granules;
  for (const wire::Range& range : ranges) {
    for (std::uint64_t at = range.low; at < range.high; at += 8) granules.insert(at);
  }
  return granules;
}

RC_GTEST_PROP(SharedRanges, AreWhatWasAdded, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  SharedRanges ranges;
  std::set<std::uint64_t> added;
  for (std::uint32_t i = random.below(200); i > 0; --i) {
    const std::uint64_t low = 0x1000 + random.below(300) * 8;
    ranges.add(low, low + 8);
    added.insert(low);
  }
  const auto& taken = ranges.ranges();
  RC_ASSERT(granules_in(taken) == added);
  for (std::size_t i = 1; i < taken.size(); ++i) RC_ASSERT(taken[i - 1].high < taken[i].low);
  const auto read = ranges_of_text(text_of(taken));
  RC_ASSERT(read.ok());
  RC_ASSERT(granules_in(*read) == added);
}

RC_GTEST_PROP(SharedRanges, CoverWhatWasAddedWhereTheyAreTooMany, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  SharedRanges ranges(8);
  std::set<std::uint64_t> added;
  for (int i = 0; i < 300; ++i) {
    const std::uint64_t low = 0x1000 + random.below(100'000) * 8;
    ranges.add(low, low + 8);
    added.insert(low);
  }
  const auto& taken = ranges.ranges();
  RC_ASSERT(taken.size() <= 8u);
  for (const std::uint64_t low : added) {
    bool covered = false;
    for (const wire::Range& range : taken) covered |= low >= range.low && low < range.high;
    RC_ASSERT(covered);
  }
}

TEST(SharedRanges, OfADamagedNoteAreRefused) {
  for (const char* text : {"1", "1+", "1+2", "x+2 ", "1+2 3"}) {
    EXPECT_FALSE(ranges_of_text(text).ok()) << text;
  }
}

}  // namespace
}  // namespace heddle
