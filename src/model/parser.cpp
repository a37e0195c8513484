#include "model/parser.h"

#include <utility>

#include <fmt/format.h>

#include "model/parser_expression.h"
#include "model/parser_statement.h"

namespace heddle::model {
namespace {

using syntax::Declaration;
using syntax::DeclarationKind;

class ProgramParser {
 public:
  ProgramParser(const SourceText& source, Diagnostics& diagnostics)
      : cursor_(source, diagnostics), expressions_(cursor_), statements_(cursor_, expressions_) {}

  syntax::Program run() {
    while (!cursor_.at_end()) {
      item();
      if (cursor_.in_trouble()) skip_to_next_item();
    }
    return std::move(program_);
  }

 private:
  // Behind a block that could not be parsed stands its '}'.
  void skip_to_next_item() {
    cursor_.recover();
    while (cursor_.take_if(TokenKind::sign_close_brace)) {
    }
  }

  void item() {
    if (cursor_.take_if(TokenKind::key_thread)) {
      thread();
    } else {
      declaration();
    }
  }

  void declaration() {
    Declaration made;
    const Token first = cursor_.take();
    switch (first.kind) {
      case TokenKind::key_param: made.kind = DeclarationKind::parameter; break;
      case TokenKind::key_const: made.kind = DeclarationKind::constant; break;
      case TokenKind::key_lock: made.kind = DeclarationKind::lock; break;
      case TokenKind::key_rwlock: made.kind = DeclarationKind::rwlock; break;
      case TokenKind::key_condition: made.kind = DeclarationKind::condition; break;
      case TokenKind::key_semaphore: made.kind = DeclarationKind::semaphore; break;
      case TokenKind::key_recursive:
        made.kind = DeclarationKind::recursive_lock;
        cursor_.expect(TokenKind::key_lock, "after 'recursive'");
        break;
      case TokenKind::key_atomic:
        made.atomic = true;
        made.type = statements_.type(cursor_.take());
        break;
      case TokenKind::key_int:
      case TokenKind::key_bool: made.type = statements_.type(first); break;
      default: return complain_about(first);
    }
    program_.declarations.push_back(statements_.rest_of_declaration(std::move(made)));
    while (!cursor_.in_trouble() && cursor_.take_if(TokenKind::sign_comma)) another();
    cursor_.expect(TokenKind::sign_semicolon, "after the declaration");
  }

  // `int x, y = 1;`: the type is the one before, unless it has bounds of its own to copy.
  void another() {
    const Declaration& before = program_.declarations.back();
    if (before.type.low != nullptr) {
      return cursor_.complain("variables with bounds are declared one by one");
    }
    Declaration made;
    made.kind = before.kind;
    made.atomic = before.atomic;
    made.type.is_bool = before.type.is_bool;
    program_.declarations.push_back(statements_.rest_of_declaration(std::move(made)));
  }

  void complain_about(const Token& token) {
    cursor_.complain(token.range, fmt::format("expected a declaration or a thread, found '{}'",
                                              cursor_.text(token)));
  }

  void thread() {
    syntax::Thread made;
    made.range = cursor_.token().range;
    made.name = cursor_.expect_name();
    if (cursor_.take_if(TokenKind::sign_open)) {
      made.parameter = cursor_.expect_name();
      cursor_.expect(TokenKind::sign_colon, "between the name and its range");
      made.low = expressions_.expression();
      cursor_.expect(TokenKind::sign_range, "between the ends of the range");
      made.high = expressions_.expression();
      cursor_.expect(TokenKind::sign_close);
    }
    made.forked = cursor_.take_if(TokenKind::key_forked);
    if (!cursor_.in_trouble()) made.body = statements_.block();
    program_.threads.push_back(std::move(made));
  }

  TokenCursor cursor_;
  ExpressionParser expressions_;
  StatementParser statements_;
  syntax::Program program_;
};

}  // namespace

syntax::Program parse(const SourceText& source, Diagnostics& diagnostics) {
  return ProgramParser(source, diagnostics).run();
}

}  // namespace heddle::model
