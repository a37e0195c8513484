// Intervals of integers, and expressions evaluated on them.
//
// The value of an expression lies in its interval whenever each word lies in the interval
// that the environment gives for it. So an expression whose index stays inside its array
// and whose divisor is never zero cannot fail, and a guard whose interval is one value is
// decided. What may wrap around gets the full interval; what is sure to fail has no value, and
// so has all that is made from it. The larger the intervals of words, the larger is the
// interval of an expression.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "model/expression.h"

namespace heddle::model {

struct Interval {
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();

  static constexpr Interval full() { return {}; }
  // No value at all: within every interval, and joined with any it adds nothing.
  static constexpr Interval none() { return {full().high, full().low}; }
  static constexpr Interval of(std::int64_t value) { return {value, value}; }
  constexpr bool empty() const { return low > high; }
  constexpr bool single() const { return low == high; }
  constexpr bool contains(std::int64_t value) const { return low <= value && value <= high; }
  constexpr bool within(Interval other) const { return other.low <= low && high <= other.high; }
  friend bool operator==(Interval, Interval) = default;
};

constexpr Interval join(Interval a, Interval b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

// Of the operators that always evaluate both operands; a divisor may contain zero, which
// then counts as excluded: nothing is left if it is zero.
Interval apply(Operator op, Interval a, Interval b);

// Environment: Interval word(uint32 word), Interval words(uint32 first, uint32 length).
template <typename Environment>
class IntervalEvaluator {
 public:
  IntervalEvaluator(const Expressions& expressions, const Environment& environment)
      : expressions_(expressions), environment_(environment) {}

  Interval operator()(ExpressionId id) {
    const ExpressionNode& node = expressions_[id];
    switch (node.op) {
      case Operator::constant: return Interval::of(node.value);
      case Operator::load: return environment_.word(node.left);
      case Operator::element: return element(node);
      case Operator::negate:
        return apply(Operator::subtract, Interval::of(0), (*this)(node.left_operand()));
      case Operator::logical_not: {
        const Interval value = (*this)(node.left_operand());
        return apply(Operator::equal, value, Interval::of(0));
      }
      case Operator::logical_and:
      case Operator::logical_or: return logical(node);
      case Operator::conditional: return conditional(node);
      default: return binary(node);
    }
  }

  // Whether something that was evaluated so far may fail.
  bool may_fail() const { return may_fail_; }
  // The interval of places [0, length) that the index may mean.
  Interval index(ExpressionId id, std::uint32_t length) {
    const Interval places{0, static_cast<std::int64_t>(length) - 1};
    const Interval value = (*this)(id);
    if (!value.within(places)) may_fail_ = true;
    return {std::max(value.low, places.low), std::min(value.high, places.high)};
  }

 private:
  Interval element(const ExpressionNode& node) {
    const Interval places = index(node.right_operand(), node.extra);
    if (places.empty()) return Interval::none();
    return environment_.words(node.left + static_cast<std::uint32_t>(places.low),
                              static_cast<std::uint32_t>(places.high - places.low + 1));
  }

  Interval logical(const ExpressionNode& node) {
    const Interval left = (*this)(node.left_operand());
    const std::int64_t deciding = node.op == Operator::logical_or ? 1 : 0;
    if (left == Interval::of(deciding) || left.empty()) return left;
    const Interval right = (*this)(node.right_operand());
    return left.single() ? right : join(Interval::of(deciding), right);
  }

  Interval conditional(const ExpressionNode& node) {
    const Interval condition = (*this)(node.left_operand());
    if (condition.empty()) return condition;
    if (condition == Interval::of(0)) return (*this)(node.third_operand());
    const Interval then = (*this)(node.right_operand());
    return condition.single() ? then : join(then, (*this)(node.third_operand()));
  }

  Interval binary(const ExpressionNode& node) {
    const Interval left = (*this)(node.left_operand());
    const Interval right = (*this)(node.right_operand());
    if (divides(node.op) && right.contains(0)) may_fail_ = true;
    return apply(node.op, left, right);
  }

  const Expressions& expressions_;
  const Environment& environment_;
  bool may_fail_ = false;
};

}  // namespace heddle::model
