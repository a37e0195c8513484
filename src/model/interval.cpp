#include "model/interval.h"

#include <initializer_list>

namespace heddle::model {
namespace {

constexpr Interval kBooleans{0, 1};
constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();

Interval decided(bool always, bool never) {
  return always ? Interval::of(1) : never ? Interval::of(0) : kBooleans;
}

Interval add(Interval a, Interval b) {
  Interval sum;
  const bool wraps = __builtin_add_overflow(a.low, b.low, &sum.low) ||
                     __builtin_add_overflow(a.high, b.high, &sum.high);
  return wraps ? Interval::full() : sum;
}

Interval subtract(Interval a, Interval b) {
  Interval difference;
  const bool wraps = __builtin_sub_overflow(a.low, b.high, &difference.low) ||
                     __builtin_sub_overflow(a.high, b.low, &difference.high);
  return wraps ? Interval::full() : difference;
}

Interval multiply(Interval a, Interval b) {
  Interval product{std::numeric_limits<std::int64_t>::max(),
                   std::numeric_limits<std::int64_t>::min()};
  for (const std::int64_t x : {a.low, a.high}) {
    for (const std::int64_t y : {b.low, b.high}) {
      std::int64_t corner = 0;
      if (__builtin_mul_overflow(x, y, &corner)) return Interval::full();
      product = join(product, Interval::of(corner));
    }
  }
  return product;
}

// For divisors of one sign, a quotient grows or falls with either operand, so the extremes
// are among the corners.
Interval divide_by_one_sign(Interval a, Interval b) {
  if (a.low == kLowest && b.contains(-1)) return Interval::full();
  const auto [low, high] =
      std::minmax({a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high});
  return {low, high};
}

Interval divide(Interval a, Interval b) {
  if (b == Interval::of(0)) return Interval::none();
  const Interval below{b.low, std::min<std::int64_t>(b.high, -1)};
  const Interval above{std::max<std::int64_t>(b.low, 1), b.high};
  if (b.low >= 0) return divide_by_one_sign(a, above);
  if (b.high <= 0) return divide_by_one_sign(a, below);
  return join(divide_by_one_sign(a, below), divide_by_one_sign(a, above));
}

// One less than the magnitude; the lowest number's magnitude is no number.
std::int64_t most_remainder(std::int64_t divisor) {
  return divisor < 0 ? -(divisor + 1) : divisor - 1;
}

// The least that the largest remainder can be, over all divisors but zero.
std::int64_t least_remainder(Interval b) {
  if (b.low > 0) return most_remainder(b.low);
  return b.high < 0 ? most_remainder(b.high) : 0;
}

// A remainder has the sign of the dividend, is no larger, and is smaller than the divisor.
Interval modulo(Interval a, Interval b) {
  if (b == Interval::of(0)) return Interval::none();
  if (a.single() && b.single()) return Interval::of(apply(Operator::modulo, a.low, b.low));
  const std::int64_t least = least_remainder(b);
  if (a.low >= -least && a.high <= least) return a;
  const std::int64_t most =
      std::max(b.low < 0 ? most_remainder(b.low) : 0, b.high > 0 ? most_remainder(b.high) : 0);
  return {a.low >= 0 ? 0 : std::max(a.low, -most), a.high <= 0 ? 0 : std::min(a.high, most)};
}

}  // namespace

Interval apply(Operator op, Interval a, Interval b) {
  if (a.empty() || b.empty()) return Interval::none();
  switch (op) {
    case Operator::add: return add(a, b);
    case Operator::subtract: return subtract(a, b);
    case Operator::multiply: return multiply(a, b);
    case Operator::divide: return divide(a, b);
    case Operator::modulo: return modulo(a, b);
    case Operator::equal: return decided(a.single() && a == b, a.high < b.low || b.high < a.low);
    case Operator::not_equal:
      return decided(a.high < b.low || b.high < a.low, a.single() && a == b);
    case Operator::less: return decided(a.high < b.low, a.low >= b.high);
    case Operator::less_equal: return decided(a.high <= b.low, a.low > b.high);
    case Operator::greater: return decided(a.low > b.high, a.high <= b.low);
    case Operator::greater_equal: return decided(a.low >= b.high, a.high < b.low);
    default: return Interval::full();
  }
}

}  // namespace heddle::model
