// Statements, and the parts of declarations that they share with the top level.
#pragma once

#include "model/parser_expression.h"

namespace heddle::model {

class StatementParser {
 public:
  StatementParser(TokenCursor& cursor, ExpressionParser& expressions)
      : cursor_(cursor), expressions_(expressions) {}

  // `{ ... }`
  syntax::Block block();
  // What follows `int` or `bool`, which is `first`.
  syntax::Type type(const Token& first);
  // Name, length and initial value.
  syntax::Declaration rest_of_declaration(syntax::Declaration made);

 private:
  void statement(syntax::Block& block);
  void dispatch(syntax::Block& block);
  syntax::Block body();
  void simple(syntax::Block& block, syntax::StatementKind kind);
  void local_declaration(syntax::Block& block);
  void declared_result(syntax::Block& block, SourceRange name);
  void condition(syntax::Statement& statement);
  void if_statement(syntax::Block& block);
  void while_statement(syntax::Block& block);
  void for_statement(syntax::Block& block);
  void check_statement(syntax::Block& block, syntax::StatementKind kind);
  void nested_block(syntax::Block& block, syntax::StatementKind kind);
  void choose_statement(syntax::Block& block);
  void call_statement(syntax::Block& block, syntax::Call call);
  void fork_or_join(syntax::Block& block, syntax::Call call);
  void assignment(syntax::Block& block);
  void assigned_values(syntax::Statement& statement);
  bool result_call(syntax::Statement& statement);
  void arguments(syntax::Statement& statement);
  void finish(syntax::Block& block, syntax::Statement statement);

  TokenCursor& cursor_;
  ExpressionParser& expressions_;
  std::uint32_t depth_ = 0;
};

}  // namespace heddle::model
