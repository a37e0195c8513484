#include "base/forgetting_table.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace heddle {
namespace {

using Id = Index<struct IdTag>;

// Like a vector that forgets nothing, for all that is kept.
RC_GTEST_PROP(ForgettingTable, KeepsIndicesAndWhatIsNeeded, ()) {
  ForgettingTable<Id, int> table;
  std::vector<int> all;
  std::uint32_t needed = 0;
  const auto steps = *rc::gen::inRange(0, 200);
  for (int i = 0; i < steps; ++i) {
    if (*rc::gen::weightedElement<bool>({{4, true}, {1, false}})) {
      RC_ASSERT(table.end_index() == Id(static_cast<std::uint32_t>(all.size())));
      RC_ASSERT(table.add(i) == Id(static_cast<std::uint32_t>(all.size())));
      all.push_back(i);
    } else {
      needed = *rc::gen::inRange<std::uint32_t>(needed, static_cast<std::uint32_t>(all.size()) + 1);
      table.forget_before(Id(needed));
    }
    RC_ASSERT(table.size() == all.size());
    for (std::uint32_t id = needed; id < all.size(); ++id) {
      RC_ASSERT(table.keeps(Id(id)));
      RC_ASSERT(table[Id(id)] == all[id]);
    }
    RC_ASSERT(!table.keeps(table.end_index()));
  }
}

TEST(ForgettingTable, TakesNoMoreThanTwiceWhatIsNeeded) {
  ForgettingTable<Id, int> table;
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    table.add(1);
    if (i >= 100) table.forget_before(Id(i - 99));
  }
  EXPECT_EQ(table.size(), 100'000u);
  EXPECT_LE(table.memory_bytes(), 512 * sizeof(int));
  EXPECT_FALSE(table.keeps(Id(0)));
}

}  // namespace
}  // namespace heddle
