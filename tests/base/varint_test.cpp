#include "base/varint.h"

#include <array>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace heddle {
namespace {

template <typename T>
void expect_round_trip(T value) {
  std::array<std::uint8_t, kMaxVarint<T>> bytes{};
  const std::uint8_t* end = put_varint(bytes.data(), value);
  const std::uint8_t* at = bytes.data();
  T back = 0;
  ASSERT_TRUE(get_varint(at, end, back));
  EXPECT_EQ(back, value);
  EXPECT_EQ(at, end);
  for (const std::uint8_t* cut = bytes.data(); cut != end; ++cut) {
    at = bytes.data();
    EXPECT_FALSE(get_varint(at, cut, back)) << "cut short, it still reads as " << back;
  }
}

TEST(Varint, ComesBackAtEveryLength) {
  for (int shift = 0; shift < 64; ++shift) {
    const std::uint64_t power = std::uint64_t{1} << shift;
    for (std::uint64_t value : {power - 1, power, power + 1}) {
      expect_round_trip(value);
      expect_round_trip(static_cast<std::uint32_t>(value));
    }
  }
  expect_round_trip(std::numeric_limits<std::uint64_t>::max());
}

RC_GTEST_PROP(Varint, ComesBack, (std::uint64_t value)) { expect_round_trip(value); }

TEST(Varint, OfMoreBitsThanTheTypeIsRefused) {
  std::array<std::uint8_t, 12> bytes{};
  bytes.fill(0xff);
  std::uint32_t narrow = 0;
  std::uint64_t wide = 0;
  const std::uint8_t* at = bytes.data();
  EXPECT_FALSE(get_varint(at, bytes.data() + bytes.size(), narrow));
  at = bytes.data();
  EXPECT_FALSE(get_varint(at, bytes.data() + bytes.size(), wide));
  put_varint(bytes.data(), std::uint64_t{1} << 32);
  at = bytes.data();
  EXPECT_FALSE(get_varint(at, bytes.data() + bytes.size(), narrow));
}

TEST(Zigzag, MapsSmallMagnitudesToSmallNumbers) {
  EXPECT_EQ(zigzag<std::uint32_t>(0), 0u);
  EXPECT_EQ(zigzag<std::uint32_t>(static_cast<std::uint32_t>(-1)), 1u);
  EXPECT_EQ(zigzag<std::uint32_t>(1), 2u);
  EXPECT_EQ(zigzag<std::uint64_t>(std::uint64_t{1} << 63),
            std::numeric_limits<std::uint64_t>::max());
}

RC_GTEST_PROP(Zigzag, ComesBack, (std::uint64_t wide, std::uint32_t narrow)) {
  RC_ASSERT(unzigzag(zigzag(wide)) == wide);
  RC_ASSERT(unzigzag(zigzag(narrow)) == narrow);
}

}  // namespace
}  // namespace heddle
