#include "ranges/refine.h"

#include <optional>

namespace heddle::ranges {
namespace {

using model::ExpressionId;
using model::ExpressionNode;
using model::Expressions;
using model::Operator;

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

Operator negation(Operator op) {
  switch (op) {
    case Operator::equal: return Operator::not_equal;
    case Operator::not_equal: return Operator::equal;
    case Operator::less: return Operator::greater_equal;
    case Operator::less_equal: return Operator::greater;
    case Operator::greater: return Operator::less_equal;
    default: return Operator::less;
  }
}

Operator mirrored(Operator op) {
  switch (op) {
    case Operator::less: return Operator::greater;
    case Operator::less_equal: return Operator::greater_equal;
    case Operator::greater: return Operator::less;
    case Operator::greater_equal: return Operator::less_equal;
    default: return op;
  }
}

bool compares(Operator op) { return op >= Operator::equal && op <= Operator::greater_equal; }

// The values x of `from` for which `x op y` can hold for some y of `other`.
std::optional<Interval> allowed(Operator op, Interval from, Interval other) {
  if (from.empty() || other.empty()) return std::nullopt;
  Interval made = from;
  switch (op) {
    case Operator::equal:
      made = {std::max(from.low, other.low), std::min(from.high, other.high)};
      break;
    case Operator::not_equal:
      if (other.single() && made.low == other.low && made.low < kHighest) ++made.low;
      if (other.single() && made.high == other.low && made.high > kLowest) --made.high;
      if (from.single() && from == other) return std::nullopt;
      break;
    case Operator::less:
      if (other.high == kLowest) return std::nullopt;
      made.high = std::min(made.high, other.high - 1);
      break;
    case Operator::less_equal: made.high = std::min(made.high, other.high); break;
    case Operator::greater:
      if (other.low == kHighest) return std::nullopt;
      made.low = std::max(made.low, other.low + 1);
      break;
    default: made.low = std::max(made.low, other.low); break;
  }
  if (made.empty()) return std::nullopt;
  return made;
}

class Refiner {
 public:
  Refiner(const Expressions& expressions, Environment& environment)
      : expressions_(expressions), environment_(environment) {}

  void decide(ExpressionId id, bool outcome) {
    const ExpressionNode& node = expressions_[id];
    if (node.op == Operator::logical_not) return decide(node.left_operand(), !outcome);
    if (node.op == Operator::logical_and || node.op == Operator::logical_or) {
      return decide_logical(node, outcome);
    }
    if (compares(node.op)) return compare(node, outcome ? node.op : negation(node.op));
    const auto values =
        allowed(outcome ? Operator::not_equal : Operator::equal, value(id), Interval::of(0));
    values ? narrow(id, *values) : environment_.clear();
  }

 private:
  Interval value(ExpressionId id) {
    return model::IntervalEvaluator(expressions_, environment_)(id);
  }

  // `a && b` holds when both do, `a || b` fails when both do; else one of the two decided.
  void decide_logical(const ExpressionNode& node, bool outcome) {
    const bool is_and = node.op == Operator::logical_and;
    if (is_and == outcome) {
      decide(node.left_operand(), outcome);
      if (!environment_.empty()) decide(node.right_operand(), outcome);
      return;
    }
    Environment first = environment_;
    Refiner(expressions_, first).decide(node.left_operand(), outcome);
    decide(node.left_operand(), !outcome);
    if (!environment_.empty()) decide(node.right_operand(), outcome);
    environment_.join(first);
  }

  void compare(const ExpressionNode& node, Operator op) {
    const Interval left = value(node.left_operand()), right = value(node.right_operand());
    const auto of_left = allowed(op, left, right);
    const auto of_right = allowed(mirrored(op), right, left);
    if (!of_left || !of_right) return environment_.clear();
    narrow(node.left_operand(), *of_left);
    if (!environment_.empty()) narrow(node.right_operand(), *of_right);
  }

  void narrow(ExpressionId id, Interval values) {
    const ExpressionNode& node = expressions_[id];
    switch (node.op) {
      case Operator::load: return narrow_word(node.left, values);
      case Operator::element: return narrow_element(node, values);
      case Operator::add:
      case Operator::subtract: return narrow_sum(node, values);
      case Operator::negate:
        if (value(node.left_operand()).low == kLowest || values.low == kLowest) return;
        return narrow(node.left_operand(), {-values.high, -values.low});
      default:
        if (!meets(value(id), values)) environment_.clear();
    }
  }

  static bool meets(Interval a, Interval b) { return a.low <= b.high && b.low <= a.high; }

  void narrow_word(std::uint32_t word, Interval values) {
    const auto left = allowed(Operator::equal, environment_.word(word), values);
    left ? environment_.set(word, *left) : environment_.clear();
  }

  void narrow_element(const ExpressionNode& node, Interval values) {
    const Interval place = value(node.right_operand());
    if (!place.single() || place.low < 0 || place.low >= node.extra) return;
    narrow_word(node.left + static_cast<std::uint32_t>(place.low), values);
  }

  // x + y = s gives x = s - y, if neither sum can wrap around.
  void narrow_sum(const ExpressionNode& node, Interval values) {
    const Interval left = value(node.left_operand()), right = value(node.right_operand());
    if (model::apply(node.op, left, right) == Interval::full()) return;
    const bool sum = node.op == Operator::add;
    const Interval of_left = model::apply(sum ? Operator::subtract : Operator::add, values, right);
    const Interval of_right = sum ? model::apply(Operator::subtract, values, left)
                                  : model::apply(Operator::subtract, left, values);
    narrow(node.left_operand(), of_left);
    if (!environment_.empty()) narrow(node.right_operand(), of_right);
  }

  const Expressions& expressions_;
  Environment& environment_;
};

}  // namespace

void refine(const Expressions& expressions, ExpressionId condition, bool outcome,
            Environment& environment) {
  Refiner(expressions, environment).decide(condition, outcome);
}

}  // namespace heddle::ranges
