#include "model/expression.h"

namespace heddle::model {

std::optional<std::int64_t> Expressions::constant_value(ExpressionId id) const {
  const ExpressionNode& node = nodes_[id];
  return node.op == Operator::constant ? std::optional(node.value) : std::nullopt;
}

void Expressions::append(const Expressions& others) {
  const auto offset = static_cast<std::uint32_t>(nodes_.size());
  for (ExpressionNode node : others.nodes_) {
    const Operator op = node.op;
    const bool leaf = op == Operator::constant || op == Operator::load;
    const bool unary = op == Operator::negate || op == Operator::logical_not;
    if (!leaf && op != Operator::element) node.left += offset;
    if (!leaf && !unary) node.right += offset;
    if (op == Operator::conditional) node.extra += offset;
    nodes_.add(node);
  }
}

ExpressionId Expressions::constant(std::int64_t value) {
  return nodes_.add({.op = Operator::constant, .value = value});
}

ExpressionId Expressions::load(std::uint32_t word) {
  return nodes_.add({.op = Operator::load, .left = word});
}

ExpressionId Expressions::element(std::uint32_t first_word, std::uint32_t length,
                                  ExpressionId index) {
  const std::optional<std::int64_t> known = constant_value(index);
  if (known && *known >= 0 && *known < length) {
    return load(first_word + static_cast<std::uint32_t>(*known));
  }
  return nodes_.add(
      {.op = Operator::element, .left = first_word, .right = index.value(), .extra = length});
}

ExpressionId Expressions::unary(Operator op, ExpressionId operand) {
  if (const std::optional<std::int64_t> known = constant_value(operand)) {
    return constant(op == Operator::negate ? apply(Operator::subtract, 0, *known)
                                           : apply(Operator::equal, *known, 0));
  }
  return nodes_.add({.op = op, .left = operand.value()});
}

ExpressionId Expressions::logical(Operator op, ExpressionId left, ExpressionId right) {
  const std::optional<std::int64_t> known = constant_value(left);
  if (!known) return nodes_.add({.op = op, .left = left.value(), .right = right.value()});
  const bool decides = (*known != 0) == (op == Operator::logical_or);
  return decides ? constant(*known) : right;
}

ExpressionId Expressions::binary(Operator op, ExpressionId left, ExpressionId right) {
  if (op == Operator::logical_and || op == Operator::logical_or) return logical(op, left, right);
  const std::optional<std::int64_t> a = constant_value(left);
  const std::optional<std::int64_t> b = constant_value(right);
  if (a && b && !(divides(op) && *b == 0)) return constant(apply(op, *a, *b));
  return nodes_.add({.op = op, .left = left.value(), .right = right.value()});
}

ExpressionId Expressions::conditional(ExpressionId condition, ExpressionId then,
                                      ExpressionId otherwise) {
  if (const std::optional<std::int64_t> known = constant_value(condition)) {
    return *known != 0 ? then : otherwise;
  }
  return nodes_.add({.op = Operator::conditional,
                     .left = condition.value(),
                     .right = then.value(),
                     .extra = otherwise.value()});
}

namespace {

std::int64_t load_element(const ExpressionNode* nodes, const ExpressionNode& node,
                          const std::int64_t* words, Fault& fault) {
  const std::int64_t index = evaluate(nodes, node.right, words, fault);
  if (fault.kind != FaultKind::none) return 0;
  if (static_cast<std::uint64_t>(index) < node.extra) [[likely]] {
    return words[node.left + static_cast<std::uint64_t>(index)];
  }
  fault = {FaultKind::index, node.left, node.extra, index};
  return 0;
}

}  // namespace

std::int64_t evaluate(const ExpressionNode* nodes, std::uint32_t index, const std::int64_t* words,
                      Fault& fault) {
  const ExpressionNode& node = nodes[index];
  const auto value = [&](std::uint32_t operand) { return evaluate(nodes, operand, words, fault); };
  switch (node.op) {
    case Operator::constant: return node.value;
    case Operator::load: return words[node.left];
    case Operator::element: return load_element(nodes, node, words, fault);
    case Operator::negate: return apply(Operator::subtract, 0, value(node.left));
    case Operator::logical_not: return value(node.left) == 0 ? 1 : 0;
    case Operator::logical_and: return value(node.left) != 0 ? value(node.right) : 0;
    case Operator::logical_or: return value(node.left) != 0 ? 1 : value(node.right);
    case Operator::conditional: return value(value(node.left) != 0 ? node.right : node.extra);
    default: break;
  }
  const std::int64_t left = value(node.left);
  const std::int64_t right = value(node.right);
  if (divides(node.op) && right == 0) {
    if (fault.kind == FaultKind::none) fault.kind = FaultKind::division;
    return 0;
  }
  return apply(node.op, left, right);
}

}  // namespace heddle::model
