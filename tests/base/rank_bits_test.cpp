#include "base/rank_bits.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace heddle {
namespace {

RC_GTEST_PROP(RankBits, RankIsTheNumberOfOnesBefore, (const std::vector<bool>& bits)) {
  RankBits rank_bits;
  for (const bool bit : bits) rank_bits.push_back(bit);
  std::uint32_t ones = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    RC_ASSERT(rank_bits[i] == bits[i]);
    RC_ASSERT(rank_bits.rank(i) == ones);
    ones += bits[i];
  }
  RC_ASSERT(rank_bits.rank(bits.size()) == ones);
  RC_ASSERT(rank_bits.ones() == ones);
}

}  // namespace
}  // namespace heddle
