// Expressions as flat nodes over the words of a state.
//
// A state of a model is an array of 64-bit words (layout.h), and by the time an expression
// gets here its names have become words, its constants numbers, and what is constant has
// been computed: a[i + 1] in the thread with i = 2 is the load of one fixed word. Children
// stand before their parents. Evaluation is a short recursive walk; it computes nothing
// that C would not (&& and || stop early).
#pragma once

#include <cstdint>
#include <optional>

#include "base/index.h"
#include "model/operators.h"

namespace heddle::model {

using ExpressionId = Index<struct ExpressionTag>;

struct ExpressionNode {
  Operator op = Operator::constant;
  std::uint32_t left = 0;   // operand; the word of a load, the first word of an element's array
  std::uint32_t right = 0;  // operand; the index of an element
  std::uint32_t extra = 0;  // third operand of a conditional; the length of an element's array
  std::int64_t value = 0;   // of a constant

  ExpressionId left_operand() const { return ExpressionId(left); }
  ExpressionId right_operand() const { return ExpressionId(right); }
  ExpressionId third_operand() const { return ExpressionId(extra); }
};

class Expressions {
 public:
  const ExpressionNode& operator[](ExpressionId id) const { return nodes_[id]; }
  const ExpressionNode* data() const { return nodes_.data(); }
  std::size_t size() const { return nodes_.size(); }

  std::optional<std::int64_t> constant_value(ExpressionId id) const;
  // All of the others, in order, behind those that are here; operands are moved along.
  void append(const Expressions& others);

  // Each of these simplifies where it can do so without hiding a failure.
  ExpressionId constant(std::int64_t value);
  ExpressionId load(std::uint32_t word);
  ExpressionId element(std::uint32_t first_word, std::uint32_t length, ExpressionId index);
  ExpressionId unary(Operator op, ExpressionId operand);
  ExpressionId binary(Operator op, ExpressionId left, ExpressionId right);
  ExpressionId conditional(ExpressionId condition, ExpressionId then, ExpressionId otherwise);

 private:
  ExpressionId logical(Operator op, ExpressionId left, ExpressionId right);
  Table<ExpressionId, ExpressionNode> nodes_;
};

// Why an expression has no value, or a target no place.
enum class FaultKind : std::uint8_t { none, index, division };
struct Fault {
  FaultKind kind = FaultKind::none;
  std::uint32_t first_word = 0;  // of the array, for an index
  std::uint32_t length = 0;
  std::int64_t value = 0;
};

// The value of nodes[index] in a state. After a fault the value means nothing.
std::int64_t evaluate(const ExpressionNode* nodes, std::uint32_t index, const std::int64_t* words,
                      Fault& fault);

// Calls visit(node) for the node and everything below it.
template <typename Visit>
void for_each_node(const Expressions& expressions, ExpressionId id, const Visit& visit) {
  if (!id.valid()) return;
  const ExpressionNode& node = expressions[id];
  visit(node);
  const Operator op = node.op;
  if (op == Operator::constant || op == Operator::load) return;
  if (op != Operator::element) for_each_node(expressions, node.left_operand(), visit);
  const bool has_right = op != Operator::negate && op != Operator::logical_not;
  if (has_right) for_each_node(expressions, node.right_operand(), visit);
  if (op == Operator::conditional) for_each_node(expressions, node.third_operand(), visit);
}

}  // namespace heddle::model
