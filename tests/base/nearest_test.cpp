#include "base/nearest.h"

#include <vector>

#include <gtest/gtest.h>

namespace heddle {
namespace {

const std::vector<std::string> kCommands = {"check", "record", "replay", "trace"};

TEST(Nearest, CountsEditsAndSwaps) {
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("trace", "trace"), 0u);
  EXPECT_EQ(edit_distance("trcae", "trace"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(Nearest, SuggestsAPlausibleSlip) {
  EXPECT_EQ(nearest("recrod", kCommands), "record");
  EXPECT_EQ(nearest("rep", kCommands), "replay");
  EXPECT_EQ(nearest("traces", kCommands), "trace");
}

TEST(Nearest, SuggestsNothingFarFetched) {
  EXPECT_EQ(nearest("install", kCommands), std::nullopt);
  EXPECT_EQ(nearest("x", kCommands), std::nullopt);
}

}  // namespace
}  // namespace heddle
