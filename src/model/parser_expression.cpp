#include "model/parser_expression.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace heddle::model {
namespace {

using syntax::Expression;
using syntax::ExpressionKind;
using syntax::ExpressionPointer;

constexpr const char* kTooDeep = "this expression is nested too deeply; split it";

struct BinaryOperator {
  TokenKind token;
  Operator op;
  int precedence;
};

constexpr BinaryOperator kBinaryOperators[] = {
    {TokenKind::sign_or, Operator::logical_or, 1},
    {TokenKind::sign_and, Operator::logical_and, 2},
    {TokenKind::sign_equal, Operator::equal, 3},
    {TokenKind::sign_not_equal, Operator::not_equal, 3},
    {TokenKind::sign_less, Operator::less, 4},
    {TokenKind::sign_less_equal, Operator::less_equal, 4},
    {TokenKind::sign_greater, Operator::greater, 4},
    {TokenKind::sign_greater_equal, Operator::greater_equal, 4},
    {TokenKind::sign_plus, Operator::add, 5},
    {TokenKind::sign_minus, Operator::subtract, 5},
    {TokenKind::sign_times, Operator::multiply, 6},
    {TokenKind::sign_divide, Operator::divide, 6},
    {TokenKind::sign_modulo, Operator::modulo, 6},
};

const BinaryOperator* binary_operator(TokenKind token) {
  const auto* found = std::find_if(std::begin(kBinaryOperators), std::end(kBinaryOperators),
                                   [=](const BinaryOperator& b) { return b.token == token; });
  return found == std::end(kBinaryOperators) ? nullptr : found;
}

template <typename... Pointers>
std::vector<ExpressionPointer> list(Pointers... pointers) {
  std::vector<ExpressionPointer> operands;
  (operands.push_back(std::move(pointers)), ...);
  return operands;
}

std::uint32_t depth_above(const std::vector<ExpressionPointer>& operands) {
  std::uint32_t depth = 0;
  for (const ExpressionPointer& operand : operands) depth = std::max(depth, operand->depth);
  return depth + 1;
}

}  // namespace

// One level of recursion, limited in number.
class ExpressionParser::Nesting {
 public:
  explicit Nesting(ExpressionParser& parser) : parser_(parser) {
    if (++parser_.depth_ > syntax::kMaxDepth) parser_.cursor_.complain(kTooDeep);
  }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  ~Nesting() { --parser_.depth_; }

 private:
  ExpressionParser& parser_;
};

ExpressionPointer ExpressionParser::literal(ExpressionKind kind, std::int64_t value) {
  auto made = std::make_unique<Expression>();
  made->kind = kind;
  made->range = cursor_.take().range;
  made->value = value;
  return made;
}

ExpressionPointer ExpressionParser::operation(Operator op,
                                              std::vector<ExpressionPointer> operands) {
  auto made = std::make_unique<Expression>();
  made->kind = ExpressionKind::operation;
  made->op = op;
  made->range = operands.front()->range;
  for (const ExpressionPointer& operand : operands) {
    made->range.begin = std::min(made->range.begin, operand->range.begin);
    made->range.end = std::max(made->range.end, operand->range.end);
  }
  made->depth = depth_above(operands);
  if (made->depth > syntax::kMaxDepth) {
    cursor_.complain(made->range, kTooDeep);
    return std::move(operands.front());
  }
  made->operands = std::move(operands);
  return made;
}

ExpressionPointer ExpressionParser::expression() {
  ExpressionPointer condition = binary(1);
  if (cursor_.in_trouble() || !cursor_.take_if(TokenKind::sign_question)) return condition;
  const Nesting nesting(*this);
  if (cursor_.in_trouble()) return condition;
  ExpressionPointer then = expression();
  cursor_.expect(TokenKind::sign_colon, "between the two values of '?'");
  if (cursor_.in_trouble()) return condition;
  ExpressionPointer otherwise = expression();
  return operation(Operator::conditional,
                   list(std::move(condition), std::move(then), std::move(otherwise)));
}

ExpressionPointer ExpressionParser::binary(int least_precedence) {
  ExpressionPointer left = unary();
  while (!cursor_.in_trouble()) {
    const BinaryOperator* const op = binary_operator(cursor_.token().kind);
    if (op == nullptr || op->precedence < least_precedence) break;
    cursor_.take();
    ExpressionPointer right = binary(op->precedence + 1);
    left = operation(op->op, list(std::move(left), std::move(right)));
  }
  return left;
}

ExpressionPointer ExpressionParser::unary() {
  const Token sign = cursor_.token();
  const bool negates = sign.kind == TokenKind::sign_minus;
  if (!negates && sign.kind != TokenKind::sign_not) return primary();
  const Nesting nesting(*this);
  cursor_.take();
  ExpressionPointer operand = cursor_.in_trouble() ? std::make_unique<Expression>() : unary();
  ExpressionPointer made =
      operation(negates ? Operator::negate : Operator::logical_not, list(std::move(operand)));
  made->range.begin = sign.range.begin;
  return made;
}

ExpressionPointer ExpressionParser::primary() {
  const Token first = cursor_.token();
  switch (first.kind) {
    case TokenKind::number: return literal(ExpressionKind::number, first.value);
    case TokenKind::key_true: return literal(ExpressionKind::boolean, 1);
    case TokenKind::key_false: return literal(ExpressionKind::boolean, 0);
    case TokenKind::name: return reference();
    case TokenKind::sign_open: break;
    default:
      cursor_.complain(fmt::format(
          "expected an expression, found {}",
          cursor_.at_end() ? "the end of the file" : fmt::format("'{}'", cursor_.text(first))));
      return std::make_unique<Expression>();
  }
  const Nesting nesting(*this);
  if (cursor_.in_trouble()) return std::make_unique<Expression>();
  cursor_.take();
  ExpressionPointer inner = expression();
  cursor_.expect(TokenKind::sign_close);
  return inner;
}

ExpressionPointer ExpressionParser::reference(TokenKind open, TokenKind close) {
  auto made = std::make_unique<Expression>();
  made->kind = ExpressionKind::name;
  made->range = cursor_.token().range;
  made->name = cursor_.expect_name();
  if (cursor_.in_trouble() || !cursor_.take_if(open)) return made;
  const Nesting nesting(*this);
  if (cursor_.in_trouble()) return made;
  made->kind = ExpressionKind::element;
  made->operands = list(expression());
  made->depth = depth_above(made->operands);
  cursor_.expect(close);
  made->range = cursor_.from(made->range.begin);
  if (made->depth > syntax::kMaxDepth) cursor_.complain(made->range, kTooDeep);
  return made;
}

}  // namespace heddle::model
