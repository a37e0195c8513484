// Expressions, by precedence climbing.
#pragma once

#include "model/parser_base.h"

namespace heddle::model {

class ExpressionParser {
 public:
  explicit ExpressionParser(TokenCursor& cursor) : cursor_(cursor) {}

  // Never null; in trouble it returns a placeholder.
  syntax::ExpressionPointer expression();
  // A name with or without an index, in the given brackets: `a[i]`, `worker(i)`.
  syntax::ExpressionPointer reference(TokenKind open = TokenKind::sign_open_bracket,
                                      TokenKind close = TokenKind::sign_close_bracket);

 private:
  class Nesting;

  syntax::ExpressionPointer binary(int least_precedence);
  syntax::ExpressionPointer unary();
  syntax::ExpressionPointer primary();
  syntax::ExpressionPointer literal(syntax::ExpressionKind kind, std::int64_t value);
  syntax::ExpressionPointer operation(Operator op, std::vector<syntax::ExpressionPointer> operands);

  TokenCursor& cursor_;
  std::uint32_t depth_ = 0;
};

}  // namespace heddle::model
