// Events in words.
#include "finding/event_words.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

std::string shown(std::uint32_t size, std::uint64_t value) {
  Tables tables;
  tables.locations.add({StringId::none(), RegionId::none(), 0, size});
  EventRecord event;
  event.kind = EventKind::write;
  event.object = 0;
  return value_in_words(tables, event, value);
}

TEST(ValueInWords, IsNegativeWhereTheHighestBitIsSet) {
  EXPECT_EQ(shown(4, 0xffffffc4), "-60");
  EXPECT_EQ(shown(8, ~std::uint64_t{0}), "-1");
  EXPECT_EQ(shown(4, 0x7fffffff), "2147483647");
  EXPECT_EQ(shown(8, 0xffffffc4), "4294967236");
}

TEST(ValueInWords, IsNotNegativeForBytes) { EXPECT_EQ(shown(1, 0xff), "255"); }

}  // namespace
}  // namespace heddle
