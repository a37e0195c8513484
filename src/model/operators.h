// The operators of expressions, and what they compute.
//
// Integers are 64 bits wide and wrap around silently; a bool is 0 or 1. Division rounds
// towards zero, as in C. The one thing that cannot be computed is a division by zero,
// which callers exclude first.
#pragma once

#include <cstdint>

namespace heddle::model {

enum class Operator : std::uint8_t {
  constant,
  load,     // a word of the state
  element,  // a word of an array, its index computed and checked
  negate,
  logical_not,
  add,
  subtract,
  multiply,
  divide,
  modulo,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  logical_and,
  logical_or,
  conditional,
};

constexpr bool divides(Operator op) { return op == Operator::divide || op == Operator::modulo; }

// Of the operators that always evaluate both operands; not for division by zero.
constexpr std::int64_t apply(Operator op, std::int64_t left, std::int64_t right) {
  const auto a = static_cast<std::uint64_t>(left);
  const auto b = static_cast<std::uint64_t>(right);
  switch (op) {
    case Operator::add: return static_cast<std::int64_t>(a + b);
    case Operator::subtract: return static_cast<std::int64_t>(a - b);
    case Operator::multiply: return static_cast<std::int64_t>(a * b);
    case Operator::divide: return right == -1 ? static_cast<std::int64_t>(0 - a) : left / right;
    case Operator::modulo: return right == -1 ? 0 : left % right;
    case Operator::equal: return left == right ? 1 : 0;
    case Operator::not_equal: return left != right ? 1 : 0;
    case Operator::less: return left < right ? 1 : 0;
    case Operator::less_equal: return left <= right ? 1 : 0;
    case Operator::greater: return left > right ? 1 : 0;
    case Operator::greater_equal: return left >= right ? 1 : 0;
    default: return 0;
  }
}

}  // namespace heddle::model
