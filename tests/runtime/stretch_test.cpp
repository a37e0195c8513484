// Sets of stretches against ordinary sets.
#include "runtime/stretch.h"

#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"

namespace heddle::runtime {
namespace {

constexpr std::uint16_t kEnd = 400;

std::set<std::uint16_t> members_of(const Stretches& stretches) {
  std::set<std::uint16_t> members;
  for (std::uint16_t i = 0; i < kEnd; ++i) {
    if (stretches.contains(i)) members.insert(i);
  }
  return members;
}

RC_GTEST_PROP(Stretches, AreTheSetOfWhatWasAddedWhereIntervalsAreFew, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  Stretches sets[2];
  std::set<std::uint16_t> expected[2];
  for (std::uint32_t i = random.below(300); i > 0; --i) {
    const std::uint32_t which = random.below(2);
    // At most 31 places that do not touch each other.
    const auto stretch = static_cast<std::uint16_t>(1 + random.below(61));
    sets[which].add(stretch);
    expected[which].insert(stretch);
    if (random.below(20) != 0) continue;
    sets[which].add(sets[1 - which]);
    expected[which].insert(expected[1 - which].begin(), expected[1 - which].end());
  }
  RC_ASSERT(members_of(sets[0]) == expected[0]);
  RC_ASSERT(members_of(sets[1]) == expected[1]);
}

RC_GTEST_PROP(Stretches, ForgetButNeverInventWhereTheyAreMany, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  Stretches stretches;
  std::set<std::uint16_t> added;
  for (int i = 0; i < 500; ++i) {
    const auto stretch = static_cast<std::uint16_t>(1 + random.below(kEnd - 1));
    stretches.add(stretch);
    added.insert(stretch);
  }
  const auto members = members_of(stretches);
  RC_ASSERT(!members.empty());
  for (const std::uint16_t member : members) RC_ASSERT(added.contains(member));
}

}  // namespace
}  // namespace heddle::runtime
