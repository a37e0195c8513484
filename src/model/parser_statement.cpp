#include "model/parser_statement.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace heddle::model {
namespace {

using syntax::Block;
using syntax::Call;
using syntax::Declaration;
using syntax::Statement;
using syntax::StatementKind;

struct CallKeyword {
  TokenKind token;
  Call call;
  bool has_result;
};

constexpr CallKeyword kCalls[] = {
    {TokenKind::key_lock, Call::lock, false},
    {TokenKind::key_unlock, Call::unlock, false},
    {TokenKind::key_trylock, Call::trylock, true},
    {TokenKind::key_read_lock, Call::read_lock, false},
    {TokenKind::key_read_unlock, Call::read_unlock, false},
    {TokenKind::key_try_read_lock, Call::try_read_lock, true},
    {TokenKind::key_wait, Call::wait, false},
    {TokenKind::key_trywait, Call::trywait, true},
    {TokenKind::key_post, Call::post, false},
    {TokenKind::key_notify, Call::notify, false},
    {TokenKind::key_notify_all, Call::notify_all, false},
    {TokenKind::key_cas, Call::cas, true},
    {TokenKind::key_choose, Call::choose, true},
};

const CallKeyword* call_keyword(TokenKind token) {
  const auto* found = std::find_if(std::begin(kCalls), std::end(kCalls),
                                   [=](const CallKeyword& c) { return c.token == token; });
  return found == std::end(kCalls) ? nullptr : found;
}

struct AssignmentSign {
  TokenKind token;
  Operator op;
};

constexpr AssignmentSign kAssignments[] = {
    {TokenKind::sign_assign, Operator::constant},
    {TokenKind::sign_plus_assign, Operator::add},
    {TokenKind::sign_minus_assign, Operator::subtract},
    {TokenKind::sign_times_assign, Operator::multiply},
    {TokenKind::sign_divide_assign, Operator::divide},
    {TokenKind::sign_modulo_assign, Operator::modulo},
};

std::optional<Operator> assignment_operator(TokenKind token) {
  for (const AssignmentSign& sign : kAssignments) {
    if (sign.token == token) return sign.op;
  }
  return std::nullopt;
}

Statement make(StatementKind kind) {
  Statement made;
  made.kind = kind;
  return made;
}

}  // namespace

Block StatementParser::block() {
  Block made;
  if (!cursor_.expect(TokenKind::sign_open_brace)) return made;
  while (!cursor_.at_end() && !cursor_.is(TokenKind::sign_close_brace) &&
         !cursor_.is(TokenKind::key_thread)) {
    statement(made);
    if (cursor_.in_trouble()) cursor_.recover();
  }
  cursor_.expect(TokenKind::sign_close_brace, "at the end of the block");
  return made;
}

// The block of a control statement: braces, or one statement.
Block StatementParser::body() {
  if (cursor_.in_trouble()) return {};
  if (cursor_.is(TokenKind::sign_open_brace)) return block();
  Block made;
  statement(made);
  return made;
}

void StatementParser::statement(Block& block) {
  if (++depth_ > syntax::kMaxDepth) {
    cursor_.complain("statements are nested too deeply here");
    cursor_.take();
  } else {
    dispatch(block);
  }
  --depth_;
}

void StatementParser::dispatch(Block& block) {
  const TokenKind kind = cursor_.token().kind;
  switch (kind) {
    case TokenKind::sign_semicolon: cursor_.take(); return;
    case TokenKind::key_int:
    case TokenKind::key_bool: return local_declaration(block);
    case TokenKind::key_if: return if_statement(block);
    case TokenKind::key_while: return while_statement(block);
    case TokenKind::key_for: return for_statement(block);
    case TokenKind::key_break: return simple(block, StatementKind::break_);
    case TokenKind::key_continue: return simple(block, StatementKind::continue_);
    case TokenKind::key_skip: return simple(block, StatementKind::skip);
    case TokenKind::key_assert: return check_statement(block, StatementKind::assertion);
    case TokenKind::key_assume: return check_statement(block, StatementKind::assumption);
    case TokenKind::sign_open_brace: return nested_block(block, StatementKind::block);
    case TokenKind::key_atomic: return nested_block(block, StatementKind::atomic);
    case TokenKind::key_choose: return choose_statement(block);
    case TokenKind::key_fork: return fork_or_join(block, Call::fork);
    case TokenKind::key_join: return fork_or_join(block, Call::join);
    case TokenKind::name: return assignment(block);
    default: break;
  }
  const CallKeyword* const call = call_keyword(kind);
  if (call != nullptr && !call->has_result) return call_statement(block, call->call);
  const std::string found(cursor_.text(cursor_.token()));
  cursor_.complain(call != nullptr
                       ? fmt::format("'{0}' has a result; write 'variable = {0}(...)'", found)
                       : fmt::format("expected a statement, found '{}'", found));
  cursor_.take();
}

void StatementParser::finish(Block& block, Statement statement) {
  if (statement.range.end == 0) statement.range = cursor_.from(statement.range.begin);
  block.push_back(std::move(statement));
}

void StatementParser::simple(Block& block, StatementKind kind) {
  Statement made = make(kind);
  made.range = cursor_.take().range;
  cursor_.expect(TokenKind::sign_semicolon);
  finish(block, std::move(made));
}

syntax::Type StatementParser::type(const Token& first) {
  syntax::Type made;
  made.is_bool = first.kind == TokenKind::key_bool;
  if (!made.is_bool && first.kind != TokenKind::key_int) {
    cursor_.complain(first.range, "expected 'int' or 'bool'");
  }
  if (cursor_.in_trouble() || made.is_bool) return made;
  if (!cursor_.take_if(TokenKind::sign_open_bracket)) return made;
  made.low = expressions_.expression();
  cursor_.expect(TokenKind::sign_range, "between the bounds");
  made.high = expressions_.expression();
  cursor_.expect(TokenKind::sign_close_bracket);
  return made;
}

Declaration StatementParser::rest_of_declaration(Declaration made) {
  made.range = cursor_.token().range;
  made.name = cursor_.in_trouble() ? std::string_view() : cursor_.expect_name();
  if (!cursor_.in_trouble() && cursor_.take_if(TokenKind::sign_open_bracket)) {
    made.length = expressions_.expression();
    if (made.length->kind == syntax::ExpressionKind::name &&
        cursor_.take_if(TokenKind::sign_colon)) {
      made.index_name = made.length->name;
      made.length = expressions_.expression();
    }
    cursor_.expect(TokenKind::sign_close_bracket);
  }
  if (cursor_.in_trouble() || !cursor_.take_if(TokenKind::sign_assign)) return made;
  if (call_keyword(cursor_.token().kind) != nullptr) return made;  // see local_declaration()
  made.initial_list = cursor_.take_if(TokenKind::sign_open_brace);
  do {
    made.initial.push_back(expressions_.expression());
  } while (made.initial_list && !cursor_.in_trouble() && cursor_.take_if(TokenKind::sign_comma));
  if (made.initial_list) cursor_.expect(TokenKind::sign_close_brace);
  return made;
}

void StatementParser::local_declaration(Block& block) {
  Statement made = make(StatementKind::declaration);
  const Token first = cursor_.take();
  made.range.begin = first.range.begin;
  Declaration declaration;
  declaration.type = type(first);
  made.declaration = rest_of_declaration(std::move(declaration));
  const SourceRange name = made.declaration->range;
  made.range = cursor_.from(made.range.begin);
  finish(block, std::move(made));
  declared_result(block, name);
  cursor_.expect(TokenKind::sign_semicolon, "after the declaration");
}

// `bool taken = trylock(m);` is a declaration and a call.
void StatementParser::declared_result(Block& block, SourceRange name) {
  if (cursor_.in_trouble()) return;
  Statement call = make(StatementKind::call);
  if (!result_call(call)) return;
  call.targets.push_back(std::make_unique<syntax::Expression>());
  call.targets.back()->kind = syntax::ExpressionKind::name;
  call.targets.back()->range = name;
  call.targets.back()->name = block.back().declaration->name;
  call.range = cursor_.from(block.back().range.begin);
  finish(block, std::move(call));
}

void StatementParser::condition(Statement& statement) {
  statement.range.begin = cursor_.take().range.begin;
  cursor_.expect(TokenKind::sign_open);
  statement.operands.push_back(expressions_.expression());
  cursor_.expect(TokenKind::sign_close);
  statement.range = cursor_.from(statement.range.begin);
}

void StatementParser::if_statement(Block& block) {
  Statement made = make(StatementKind::if_);
  condition(made);
  made.blocks.push_back(body());
  if (!cursor_.in_trouble() && cursor_.take_if(TokenKind::key_else)) made.blocks.push_back(body());
  finish(block, std::move(made));
}

void StatementParser::while_statement(Block& block) {
  Statement made = make(StatementKind::while_);
  condition(made);
  made.blocks.push_back(body());
  finish(block, std::move(made));
}

void StatementParser::for_statement(Block& block) {
  Statement made = make(StatementKind::for_);
  made.range.begin = cursor_.take().range.begin;
  cursor_.expect(TokenKind::sign_open);
  Declaration variable;
  variable.range = cursor_.token().range;
  variable.name = cursor_.expect_name();
  made.declaration = std::move(variable);
  cursor_.expect(TokenKind::sign_colon, "between the name and its range");
  made.operands.push_back(expressions_.expression());
  cursor_.expect(TokenKind::sign_range, "between the ends of the range");
  made.operands.push_back(expressions_.expression());
  cursor_.expect(TokenKind::sign_close);
  made.range = cursor_.from(made.range.begin);
  made.blocks.push_back(body());
  finish(block, std::move(made));
}

void StatementParser::check_statement(Block& block, StatementKind kind) {
  Statement made = make(kind);
  condition(made);
  cursor_.expect(TokenKind::sign_semicolon);
  finish(block, std::move(made));
}

void StatementParser::nested_block(Block& block, StatementKind kind) {
  Statement made = make(kind);
  made.range = cursor_.token().range;
  if (kind == StatementKind::atomic) cursor_.take();
  made.blocks.push_back(this->block());
  finish(block, std::move(made));
}

void StatementParser::choose_statement(Block& block) {
  Statement made = make(StatementKind::choose);
  made.range = cursor_.take().range;
  made.blocks.push_back(this->block());
  while (!cursor_.in_trouble() && cursor_.take_if(TokenKind::key_or)) {
    made.blocks.push_back(this->block());
  }
  finish(block, std::move(made));
}

// The arguments in brackets; `choose(a..b)` has a range instead of a list.
void StatementParser::arguments(Statement& statement) {
  const bool range = statement.call == Call::choose;
  cursor_.expect(TokenKind::sign_open);
  do {
    statement.operands.push_back(expressions_.expression());
  } while (!cursor_.in_trouble() &&
           cursor_.take_if(range ? TokenKind::sign_range : TokenKind::sign_comma));
  cursor_.expect(TokenKind::sign_close);
}

void StatementParser::call_statement(Block& block, Call call) {
  Statement made = make(StatementKind::call);
  made.call = call;
  made.range.begin = cursor_.take().range.begin;
  arguments(made);
  made.range = cursor_.from(made.range.begin);
  cursor_.expect(TokenKind::sign_semicolon);
  finish(block, std::move(made));
}

void StatementParser::fork_or_join(Block& block, Call call) {
  Statement made = make(StatementKind::call);
  made.call = call;
  made.range.begin = cursor_.take().range.begin;
  made.operands.push_back(expressions_.reference(TokenKind::sign_open, TokenKind::sign_close));
  made.range = cursor_.from(made.range.begin);
  cursor_.expect(TokenKind::sign_semicolon);
  finish(block, std::move(made));
}

bool StatementParser::result_call(Statement& statement) {
  const CallKeyword* const call = call_keyword(cursor_.token().kind);
  if (call == nullptr || !call->has_result) return false;
  cursor_.take();
  statement.kind = StatementKind::call;
  statement.call = call->call;
  arguments(statement);
  return true;
}

void StatementParser::assigned_values(Statement& statement) {
  const std::optional<Operator> op = assignment_operator(cursor_.token().kind);
  if (!op) return cursor_.complain("expected an assignment such as 'x = 1' or 'x += 1' here");
  cursor_.take();
  statement.op = *op;
  if (*op == Operator::constant && statement.targets.size() == 1 && result_call(statement)) return;
  do {
    statement.operands.push_back(expressions_.expression());
  } while (!cursor_.in_trouble() && cursor_.take_if(TokenKind::sign_comma));
}

void StatementParser::assignment(Block& block) {
  Statement made = make(StatementKind::assignment);
  const SourceRange start = cursor_.token().range;
  do {
    made.targets.push_back(expressions_.reference());
  } while (!cursor_.in_trouble() && cursor_.take_if(TokenKind::sign_comma));
  const Token sign = cursor_.token();
  const bool up = sign.kind == TokenKind::sign_plus_plus;
  if (!cursor_.in_trouble() && (up || sign.kind == TokenKind::sign_minus_minus)) {
    cursor_.take();
    made.op = up ? Operator::add : Operator::subtract;
    made.operands.push_back(std::make_unique<syntax::Expression>());
    made.operands.back()->value = 1;
    made.operands.back()->range = sign.range;
  } else if (!cursor_.in_trouble()) {
    assigned_values(made);
  }
  made.range = cursor_.from(start.begin);
  cursor_.expect(TokenKind::sign_semicolon);
  finish(block, std::move(made));
}

}  // namespace heddle::model
