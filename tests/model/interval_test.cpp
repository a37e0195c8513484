// Intervals against brute force: every value of the operands, within small ranges and at the
// ends of what an integer can be.
#include "model/interval.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"

namespace heddle::model {
namespace {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

constexpr Operator kOperators[] = {
    Operator::add,        Operator::subtract,      Operator::multiply,  Operator::divide,
    Operator::modulo,     Operator::equal,         Operator::not_equal, Operator::less,
    Operator::less_equal, Operator::greater_equal, Operator::greater};

struct Hull {
  bool any = false;
  Interval values{};
  void add(std::int64_t value) {
    values = any ? join(values, Interval::of(value)) : Interval::of(value);
    any = true;
  }
};

Hull brute_force(Operator op, Interval a, Interval b) {
  Hull hull;
  for (std::int64_t x = a.low; x <= a.high; ++x) {
    for (std::int64_t y = b.low; y <= b.high; ++y) {
      if (!(divides(op) && y == 0)) hull.add(apply(op, x, y));
    }
  }
  return hull;
}

template <typename Visit>
void for_each_interval(std::int64_t low, std::int64_t high, const Visit& visit) {
  for (std::int64_t from = low; from <= high; ++from) {
    for (std::int64_t to = from; to <= high; ++to) visit(Interval{from, to});
  }
}

template <typename Visit>
void for_each_pair(const Visit& visit) {
  for_each_interval(
      -9, 9, [&](Interval a) { for_each_interval(-5, 5, [&](Interval b) { visit(a, b); }); });
}

std::string text(Interval a, Interval b) {
  return fmt::format("{}..{} and {}..{}", a.low, a.high, b.low, b.high);
}

TEST(Intervals, HoldEveryValueOfSmallOperands) {
  for_each_pair([&](Interval a, Interval b) {
    for (const Operator op : kOperators) {
      const Hull hull = brute_force(op, a, b);
      if (!hull.any) continue;
      ASSERT_TRUE(hull.values.within(apply(op, a, b))) << text(a, b) << ", " << int(op);
    }
  });
}

TEST(Intervals, AreNoWiderThanNeededButForRemainders) {
  for_each_pair([&](Interval a, Interval b) {
    for (const Operator op : kOperators) {
      const Hull hull = brute_force(op, a, b);
      if (!hull.any || op == Operator::modulo) continue;
      ASSERT_EQ(hull.values, apply(op, a, b)) << text(a, b) << ", " << int(op);
    }
  });
}

// A larger operand never makes a result smaller, here by one more value at either end.
TEST(Intervals, GrowWithTheirOperands) {
  for_each_pair([&](Interval a, Interval b) {
    for (const Operator op : kOperators) {
      const Interval values = apply(op, a, b);
      for (const Interval more : {Interval{a.low - 1, a.high}, Interval{a.low, a.high + 1}}) {
        ASSERT_TRUE(values.within(apply(op, more, b))) << text(a, b) << ", " << int(op);
      }
      for (const Interval more : {Interval{b.low - 1, b.high}, Interval{b.low, b.high + 1}}) {
        ASSERT_TRUE(values.within(apply(op, a, more))) << text(a, b) << ", " << int(op);
      }
    }
  });
}

TEST(Intervals, OfRemaindersStayBelowTheDivisorAndTheDividend) {
  EXPECT_EQ(apply(Operator::modulo, {-20, 30}, {-3, -3}), (Interval{-2, 2}));
  EXPECT_EQ(apply(Operator::modulo, {0, 30}, {-7, 4}), (Interval{0, 6}));
  EXPECT_EQ(apply(Operator::modulo, {-2, 1}, {-9, -3}), (Interval{-2, 1}));
  EXPECT_EQ(apply(Operator::modulo, {-5, 9}, {-1, 1}), Interval::of(0));
  EXPECT_EQ(apply(Operator::modulo, {kLowest, 0}, {kLowest, 3}), (Interval{-kHighest, 0}));
}

TEST(Intervals, LeaveOutADivisorOfZero) {
  EXPECT_EQ(apply(Operator::divide, {10, 20}, {0, 5}), (Interval{2, 20}));
  EXPECT_EQ(apply(Operator::divide, {10, 20}, {-5, 0}), (Interval{-20, -2}));
  EXPECT_EQ(apply(Operator::divide, {10, 20}, {-5, 5}), (Interval{-20, 20}));
  EXPECT_TRUE(apply(Operator::divide, {10, 20}, {0, 0}).empty());
  EXPECT_TRUE(apply(Operator::modulo, {10, 20}, {0, 0}).empty());
}

// The operands at the ends of the integers, where sums wrap around and a quotient does.
std::int64_t near_an_end(Random& random) {
  const std::int64_t off = random.below(4);
  switch (random.below(3)) {
    case 0: return kLowest + off;
    case 1: return kHighest - off;
    default: return off - 2;
  }
}

TEST(Intervals, HoldEveryValueAtTheEnds) {
  Random random(1);
  for (int i = 0; i < 200000; ++i) {
    const std::int64_t x = near_an_end(random), y = near_an_end(random);
    const Interval a = join(Interval::of(x), Interval::of(near_an_end(random)));
    const Interval b = join(Interval::of(y), Interval::of(near_an_end(random)));
    for (const Operator op : kOperators) {
      if (divides(op) && y == 0) continue;
      ASSERT_TRUE(apply(op, a, b).contains(apply(op, x, y)))
          << text(a, b) << " at " << x << ", " << y << ", " << int(op);
    }
  }
}

}  // namespace
}  // namespace heddle::model
