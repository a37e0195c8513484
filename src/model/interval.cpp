#include "model/interval.h"

#include <initializer_list>

namespace heddle::model {
namespace {

constexpr Interval kBooleans{0, 1};

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

// Only divisors of one sign are looked at closely; -1 could wrap.
Interval divide(Interval a, Interval b) {
  if (b.low < 1) return Interval::full();
  return {std::min(a.low / b.low, a.low / b.high), std::max(a.high / b.low, a.high / b.high)};
}

Interval modulo(Interval a, Interval b) {
  if (b.low < 1) return Interval::full();
  if (a.single() && b.single()) return Interval::of(a.low % b.low);
  if (a.low >= 0 && a.high < b.low) return a;
  const std::int64_t most = b.high - 1;
  return {a.low >= 0 ? 0 : std::max(a.low, -most), a.high <= 0 ? 0 : std::min(a.high, most)};
}

}  // namespace

Interval apply(Operator op, Interval a, Interval b) {
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
